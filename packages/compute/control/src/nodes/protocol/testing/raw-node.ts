import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from '@kit/operation';
import { WebSocket } from 'ws';

/** A node of the tests that speaks the protocol by hand, and so can speak it wrongly. */
export interface RawNode {
  socket: WebSocket;
  nonce: string;
  /** The next frame of the plane. */
  next(): Promise<Record<string, unknown>>;
  send(frame: unknown): void;
  /** Code and reason of the close. */
  closed: Promise<{ code: number; reason: string }>;
}

export interface RawKey {
  publicKey: string;
  sign(members: object): string;
}

export function rawKey(): RawKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKeyOf(privateKey), sign: (members) => sign(null, Buffer.from(canonicalJson(members)), privateKey).toString('base64url') };
}

const publicKeyOf = (key: KeyObject): string => key.export({ format: 'jwk' }).x!;

/** Opens a connection and takes the challenge. */
export async function rawNode(url: string): Promise<RawNode> {
  const socket = new WebSocket(url.replace('http', 'ws') + '/node/connect');
  const frames: Record<string, unknown>[] = [];
  const takers: ((frame: Record<string, unknown>) => void)[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })));
  socket.on('error', () => {});
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
    const taker = takers.shift();
    if (taker) taker(frame);
    else frames.push(frame);
  });
  const next = async (): Promise<Record<string, unknown>> => {
    const ready = frames.shift();
    if (ready) return ready;
    const frame = new Promise<Record<string, unknown>>((resolve) => takers.push(resolve));
    return await Promise.race([frame, closed.then(({ code }) => Promise.reject(new Error(`closed with ${code}`)))]);
  };
  const challenge = await next();
  return {
    socket,
    nonce: challenge.nonce as string,
    next,
    send: (frame) => socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    closed,
  };
}

export const gpu = { index: 0, uuid: 'GPU-0', model: 'H100', product: 'H100-SXM5-80GB', memoryGiB: 80, nvlinkDomain: null, health: 'ok' };

export const helloMembers = (nodeId: string, incarnation = 1) => ({
  type: 'hello',
  nodeId,
  incarnation,
  protocol: 1,
  agentVersion: '1.0.0',
  capabilities: [{ name: 'gpu', ok: true }],
  inventory: { gpus: [gpu], vcpu: 8, memoryGiB: 64, diskGiB: 100 },
});

export function signedHello(key: RawKey, nonce: string, members: object): object {
  return { ...members, signature: key.sign({ ...members, nonce }) };
}

export function signedResult(key: RawKey, given: object): object {
  const members = { type: 'result', seq: 1, workId: 'w1', incarnation: 1, generation: 0, outcome: 'done', detail: {}, ...given };
  return { ...members, signature: key.sign(members) };
}

export const heartbeat = (seq: number, health: 'ok' | 'failed' = 'ok') => ({
  type: 'heartbeat',
  seq,
  load: { cpu: 1, memoryGiB: 2 },
  gpuHealth: [{ uuid: gpu.uuid, health }],
});
