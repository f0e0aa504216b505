/** Number of set bits of a 32-bit mask. */
export function countOf(mask: number): number {
  let m = mask - ((mask >>> 1) & 0x55555555);
  m = (m & 0x33333333) + ((m >>> 2) & 0x33333333);
  return Math.imul((m + (m >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Position of the lowest set bit; the mask must not be 0. */
export function lowestOf(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}
