import type { Fold } from './fold.ts';
import type { GpuShape, NodeShape } from './node.ts';
import type { DeviceRequest } from './request.ts';
import { matches } from './selector.ts';
import type { Slot } from './slot.ts';

/** One hard constraint of a device request that looks at a GPU and its node alone. */
export type Test = (node: NodeShape, gpu: GpuShape | null) => boolean;

/** Model, product and selectors in the order a report names them. */
export function testsOf(part: DeviceRequest): { constraint: Test; kind: 'model' | 'product' | 'selector'; selectorIndex: number }[] {
  const { model, product } = part;
  return [
    ...(model === undefined ? [] : [{ constraint: (_: NodeShape, gpu: GpuShape | null) => gpu?.model === model, kind: 'model' as const, selectorIndex: -1 }]),
    ...(product === undefined
      ? []
      : [{ constraint: (_: NodeShape, gpu: GpuShape | null) => gpu?.product === product, kind: 'product' as const, selectorIndex: -1 }]),
    ...part.selector.map((selector, selectorIndex) => ({
      constraint: (node: NodeShape, gpu: GpuShape | null) => matches(selector, node, gpu),
      kind: 'selector' as const,
      selectorIndex,
    })),
  ];
}

/** GPUs of `within` that pass; for a request without GPUs the answer is -1 (all bits) or 0 for the node as a whole. */
export function maskOf(slot: Slot, part: DeviceRequest, test: Test, within: number): number {
  const node = slot.shape;
  if (!node) return 0;
  if (part.count === 0) return within !== 0 && test(node, null) ? -1 : 0;
  let mask = 0;
  slot.gpus.forEach((gpu, bit) => {
    if (within & (1 << bit) && gpu.shape && test(node, gpu.shape)) mask |= 1 << bit;
  });
  return mask;
}

export function eligibleMask(slot: Slot, part: DeviceRequest): number {
  let mask = part.count === 0 ? -1 : slot.present;
  for (const test of testsOf(part)) mask = maskOf(slot, part, test.constraint, mask);
  return mask;
}

/** By slot index. */
export function eligibleMasks(fold: Fold, part: DeviceRequest): number[] {
  return fold.slots.map((slot) => eligibleMask(slot, part));
}
