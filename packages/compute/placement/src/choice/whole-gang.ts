import type { Slot } from '../fold/slot.ts';
import { NETWORK_WORK, WHOLE_WORK_MAX } from '../limits.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, isLinked } from './ask.ts';
import type { Allowance, Choice, Pick } from './choose.ts';
import type { Pool } from './pool.ts';
import { roomsOf } from './rooms.ts';
import { wholeRooms } from './whole.ts';

/** Whole nodes that no part of the gang can tell apart. */
interface Kind {
  gpus: number;
  domain: number;
  /** Bits of the parts that may take them. */
  parts: number;
  slots: Slot[];
  used: number;
}

/** Every way to give the parts whole nodes, tried in turn until one works or the work allowed is done. */
export function chooseWholeGang(pool: Pool, ask: Ask, allowance: Allowance = { left: WHOLE_WORK_MAX }): Choice {
  if (allowance.left <= 0) return { picks: undefined, isProven: false };
  const kinds = kindsOf(pool, ask);
  const picks: Pick[] = [];
  let work = 0;
  const give = (requestIndex: number, left: number, from: number, domain: number): boolean => {
    const part = ask.parts[requestIndex];
    if (!part) return true;
    if (left === 0) return give(requestIndex + 1, ask.parts[requestIndex + 1]?.count ?? 0, 0, -1);
    for (let i = from; i < kinds.length && work++ < WHOLE_WORK_MAX; i++) {
      const kind = kinds[i] as Kind;
      if (!(kind.parts & (1 << requestIndex)) || kind.gpus > left || kind.used === kind.slots.length) continue;
      if (isLinked(part) && (kind.domain < 0 || (domain >= 0 && kind.domain !== domain))) continue;
      const slot = kind.slots[kind.used++] as Slot;
      picks.push({ requestIndex, slot, mask: slot.present });
      if (give(requestIndex, left - kind.gpus, i, kind.domain)) return true;
      picks.pop();
      kind.used--;
    }
    return false;
  };
  const riding = ride(pool, ask);
  const found = riding !== undefined && give(0, ask.parts[0]?.count ?? 0, 0, -1);
  allowance.left -= work + NETWORK_WORK * ask.parts.length * pool.fold.slots.length;
  return { picks: found ? [...picks, ...riding].sort((a, b) => a.requestIndex - b.requestIndex) : undefined, isProven: found || work < WHOLE_WORK_MAX };
}

/** Parts without GPUs take nothing beside parts with GPUs: any node that passes will do. */
export function ride(pool: Pool, ask: Ask): Pick[] | undefined {
  const picks: Pick[] = [];
  for (const [requestIndex, part] of ask.parts.entries()) {
    if (part.count > 0) continue;
    const [room] = roomsOf(pool, ask, part, 0);
    if (!room) return undefined;
    picks.push({ requestIndex, slot: room.slot, mask: 0 });
  }
  return picks;
}

/** Largest nodes first. A domain tells nodes apart only where a part asks for NVLink. */
function kindsOf(pool: Pool, ask: Ask): Kind[] {
  const parts = new Map<Slot, number>();
  ask.parts.forEach((part: DeviceRequest, i) => {
    if (part.count === 0) return;
    // Not as one domain yet, and sized for any node: which of the part's GPUs share one is asked below.
    for (const { slot } of wholeRooms(ask, roomsOf(pool, ask, { ...part, nvlink: false, count: Number.MAX_SAFE_INTEGER }, 1)))
      parts.set(slot, (parts.get(slot) ?? 0) | (1 << i));
  });
  const hasLinked = ask.parts.some(isLinked);
  const kinds = new Map<string, Kind>();
  for (const [slot, bits] of parts) {
    const [domain] = slot.domains;
    const gpus = slot.shape?.gpus.length ?? 0;
    const id = hasLinked && domain && domain.mask === slot.present ? domain.id : -1;
    const key = `${gpus} ${id} ${bits}`;
    const kind = kinds.get(key) ?? { gpus, domain: id, parts: bits, slots: [], used: 0 };
    kind.slots.push(slot);
    kinds.set(key, kind);
  }
  return [...kinds.values()].sort((a, b) => b.gpus - a.gpus);
}
