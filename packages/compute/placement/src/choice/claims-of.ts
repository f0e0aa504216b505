import type { PlacedClaim } from '../claim.ts';
import { countOf, lowestOf } from '../fold/bits.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, unitsOf } from './ask.ts';
import type { Pick } from './choose.ts';

export function claimsOf(ask: Ask, picks: readonly Pick[]): PlacedClaim[] {
  return picks.map(({ requestIndex, slot, mask }) => {
    const part = ask.parts[requestIndex] as DeviceRequest;
    const units = unitsOf(ask, part, countOf(mask));
    const isWhole = ask.wholeNodes && part.count > 0;
    const gpuUuids: string[] = [];
    for (let left = mask; left !== 0; left &= left - 1) gpuUuids.push(slot.gpu(lowestOf(left)).uuid);
    const first = mask === 0 ? null : (slot.gpu(lowestOf(mask)).shape?.nvlinkDomain ?? null);
    const isOneDomain = countOf(mask) === 1 || slot.domains.some((domain) => (domain.mask & mask) === mask);
    return {
      requestIndex,
      nodeId: slot.nodeId,
      gpuUuids,
      nvlinkDomain: isOneDomain ? first : null,
      from: ask.from,
      to: ask.to,
      vcpu: (isWhole ? slot.cpuMilli : units * ask.unit.cpuMilli) / 1000,
      memoryGiB: (isWhole ? slot.memoryMib : units * ask.unit.memoryMib) / 1024,
      ...(ask.spot ? { spot: true } : {}),
    };
  });
}
