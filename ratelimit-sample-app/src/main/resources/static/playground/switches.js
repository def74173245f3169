// The switches of the Redis nodes, and of the line between the data centres.

const by = (id) => document.getElementById(id);

/** Buttons are reused, so that the keyboard focus stays where it is. */
export function showNodes(nodes, lanes, setAlive) {
  nodes.forEach((node, i) => {
    const row = by('nodes').children[i] ?? by('nodes').appendChild(newNode());
    const [button, state] = row.children;
    const keys = lanes.filter((lane) => lane.owner?.number === node.number).length;
    button.textContent = `${node.alive ? 'Kill' : 'Revive'} node ${node.number}`;
    button.classList.toggle('danger', node.alive);
    state.textContent = `${node.alive ? 'alive' : 'dead'}${keys ? `, holds ${keys === 1 ? 'your key' : `${keys} of your keys`}` : ''}`;
    state.className = node.alive ? 'alive' : 'dead';
    button.onclick = async () => {
      if (!button.hasAttribute('aria-disabled')) {
        button.setAttribute('aria-disabled', 'true');
        await setAlive(node.address, !node.alive);
        button.removeAttribute('aria-disabled');
      }
    };
  });
}

function newNode() {
  const row = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  row.append(button, document.createElement('p'));
  return row;
}

export function showLine(line) {
  by('cut').setAttribute('aria-checked', String(Boolean(line?.cut)));
  by('cut').toggleAttribute('disabled', !line);
  by('line-state').textContent = !line ? 'The data centres start with the first run.'
    : `${line.cut ? 'Cut' : line.exchanging ? 'Exchanging' : 'Not exchanging yet'}. Alone, each admits ${line.share} + ${line.ahead}; both together never more than ${line.bound}.`;
}
