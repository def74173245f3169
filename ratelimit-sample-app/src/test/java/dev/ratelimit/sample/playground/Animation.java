package dev.ratelimit.sample.playground;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

import org.jspecify.annotations.Nullable;

/**
 * Screenshots as an animated GIF. Each frame stores only the pixels that differ from the
 * one before.
 */
final class Animation {

	private static final int COLORS = 255;

	private static final int TRANSPARENT = COLORS;

	private static final String FORMAT = "javax_imageio_gif_image_1.0";

	private final int frameMillis;

	private final List<BufferedImage> frames = new ArrayList<>();

	Animation(int frameMillis) {
		this.frameMillis = frameMillis;
	}

	void add(byte[] png) throws IOException {
		this.frames.add(ImageIO.read(new ByteArrayInputStream(png)));
	}

	void write(Path file) throws IOException {
		IndexColorModel colors = colors();
		ImageWriter writer = ImageIO.getImageWritersBySuffix("gif").next();
		Files.deleteIfExists(file);
		try (ImageOutputStream output = ImageIO.createImageOutputStream(file.toFile())) {
			writer.setOutput(output);
			writer.prepareWriteSequence(null);
			@Nullable BufferedImage before = null;
			for (BufferedImage frame : this.frames) {
				BufferedImage indexed = indexed(frame, before, colors);
				boolean isLast = frame == this.frames.get(this.frames.size() - 1);
				writer.writeToSequence(new IIOImage(indexed, null, metadata(writer, indexed, isLast, before == null)),
						null);
				before = frame;
			}
			writer.endWriteSequence();
		}
		writer.dispose();
	}

	/** The most frequent colours of all frames; pages have few. */
	private IndexColorModel colors() {
		Map<Integer, Integer> counts = new LinkedHashMap<>();
		for (BufferedImage frame : this.frames) {
			int[] pixels = frame.getRGB(0, 0, frame.getWidth(), frame.getHeight(), null, 0, frame.getWidth());
			for (int pixel : pixels) {
				counts.merge(pixel, 1, Integer::sum);
			}
		}
		int[] most = counts.entrySet()
			.stream()
			.sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
			.limit(COLORS)
			.mapToInt(Map.Entry::getKey)
			.toArray();
		int[] all = IntStream.concat(IntStream.of(most), IntStream.generate(() -> 0)).limit(COLORS + 1).toArray();
		return new IndexColorModel(8, all.length, all, 0, false, TRANSPARENT, DataBuffer.TYPE_BYTE);
	}

	private static BufferedImage indexed(BufferedImage frame, @Nullable BufferedImage before, IndexColorModel colors) {
		BufferedImage indexed = new BufferedImage(frame.getWidth(), frame.getHeight(), BufferedImage.TYPE_BYTE_INDEXED,
				colors);
		Map<Integer, Integer> known = new HashMap<>();
		for (int y = 0; y < frame.getHeight(); y++) {
			for (int x = 0; x < frame.getWidth(); x++) {
				int pixel = frame.getRGB(x, y);
				boolean isSame = before != null && pixel == before.getRGB(x, y);
				indexed.getRaster()
					.setSample(x, y, 0,
							isSame ? TRANSPARENT : known.computeIfAbsent(pixel, (it) -> nearest(it, colors)));
			}
		}
		return indexed;
	}

	private static int nearest(int pixel, IndexColorModel colors) {
		return IntStream.range(0, COLORS)
			.boxed()
			.min(Comparator.comparingInt((i) -> distance(pixel, colors.getRGB(i.intValue()))))
			.orElseThrow();
	}

	private static int distance(int one, int other) {
		return IntStream.of(0, 8, 16)
			.map((shift) -> (one >> shift & 0xff) - (other >> shift & 0xff))
			.map((d) -> d * d)
			.sum();
	}

	private IIOMetadata metadata(ImageWriter writer, BufferedImage frame, boolean isLast, boolean isFirst)
			throws IOException {
		IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(frame), null);
		IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
		IIOMetadataNode control = child(root, "GraphicControlExtension");
		control.setAttribute("disposalMethod", "doNotDispose");
		control.setAttribute("userInputFlag", "FALSE");
		control.setAttribute("transparentColorFlag", "TRUE");
		control.setAttribute("transparentColorIndex", Integer.toString(TRANSPARENT));
		control.setAttribute("delayTime", Integer.toString(this.frameMillis / 10 * (isLast ? 16 : 1)));
		if (isFirst) {
			IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
			loop.setAttribute("applicationID", "NETSCAPE");
			loop.setAttribute("authenticationCode", "2.0");
			loop.setUserObject(new byte[] { 1, 0, 0 });
			child(root, "ApplicationExtensions").appendChild(loop);
		}
		metadata.setFromTree(FORMAT, root);
		return metadata;
	}

	private static IIOMetadataNode child(IIOMetadataNode root, String name) {
		for (int i = 0; i < root.getLength(); i++) {
			if (root.item(i).getNodeName().equals(name)) {
				return (IIOMetadataNode) root.item(i);
			}
		}
		IIOMetadataNode child = new IIOMetadataNode(name);
		root.appendChild(child);
		return child;
	}

}
