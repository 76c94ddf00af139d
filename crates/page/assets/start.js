start(packedSource);
