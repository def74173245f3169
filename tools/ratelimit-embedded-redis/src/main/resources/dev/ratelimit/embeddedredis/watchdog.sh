# Holds one redis-server for a JVM and ends it with that JVM, however the JVM ends.
#
# Arguments: the server's directory, then its command line. Standard input is a pipe from the JVM:
# each line starts the server, and the end of the pipe ends everything. Standard output reports the
# server's pid, and "exited" once that server is dead.
directory=$1
shift
# The end of the pipe is the only reason to stop; PIPE because the JVM may no longer read.
trap '' HUP INT TERM PIPE
cd "$directory" || exit
exec 3<&0 </dev/null

while read -r _ <&3; do
	: >redis.log
	"$@" >>redis.log 2>&1 3<&- &
	server=$!
	# The JVM writes nothing while the server lives, so this reads the end of the pipe and no line.
	(
		while read -r _ <&3; do :; done
		kill -9 "$server"
	) &
	guard=$!
	echo "$server"
	# Reaps the server, so that it is seen to be dead, ...
	wait "$server"
	# ... and ends the guard, which could otherwise kill another process with the same pid.
	kill -9 "$guard"
	wait "$guard"
	echo exited
done

cd /
rm -rf "$directory"
