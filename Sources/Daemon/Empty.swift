// The room's first file; replaced as soon as the room has one.
