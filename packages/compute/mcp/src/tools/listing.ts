import { canonicalJson, type ComputeTool, type ToolEntry } from '@better-compute/client';
import { sha256Hex } from '../caller.ts';

/** The list of tools, written once: the same bytes for every caller (compute.md §11.4). */
export interface Listing {
  entries: readonly ToolEntry[];
  /** JSON text of the array. */
  text: string;
  /** SHA-256 of its RFC 8785 form; a gate that leaves tools out computes it again. */
  catalogHash(): Promise<string>;
}

export function listingOf(tools: readonly ComputeTool[]): Listing {
  const entries = tools.map((tool) => tool.entry);
  let hash: Promise<string> | undefined;
  return { entries, text: JSON.stringify(entries), catalogHash: () => (hash ??= sha256Hex(canonicalJson(entries))) };
}

export const CATALOG_HASH = 'better-compute/catalogHash';
