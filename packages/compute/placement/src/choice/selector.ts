import type { GpuShape, NodeShape } from '../node.ts';
import type { Selector } from '../request.ts';

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Kubernetes rules: a missing label satisfies only NotIn and DoesNotExist; Gt, Gte, Lt and Lte compare numbers (compute.md §5.1). */
export function matches(selector: Selector, node: NodeShape, gpu: GpuShape | null): boolean {
  const value = valueOf(selector.key, node, gpu);
  const values = selector.values ?? [];
  switch (selector.op) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    default:
      return compares(selector.op, value, values[0]);
  }
}

function valueOf(key: string, node: NodeShape, gpu: GpuShape | null): string | undefined {
  switch (key) {
    case 'gpu.model':
      return gpu?.model;
    case 'gpu.product':
      return gpu?.product;
    case 'gpu.memoryGiB':
      return gpu ? String(gpu.memoryGiB) : undefined;
    case 'node.id':
      return node.nodeId;
    case 'node.region':
      return node.region;
    default:
      return Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
  }
}

function compares(op: 'Gt' | 'Gte' | 'Lt' | 'Lte', value: string | undefined, bound: string | undefined): boolean {
  if (value === undefined || bound === undefined || !NUMBER.test(value) || !NUMBER.test(bound)) return false;
  const difference = Number(value) - Number(bound);
  if (op === 'Gt') return difference > 0;
  if (op === 'Gte') return difference >= 0;
  return op === 'Lt' ? difference < 0 : difference <= 0;
}

/** A selector as text for reports and cache keys: `zone In a,b`. */
export function selectorText(selector: Selector): string {
  return [selector.key, selector.op, ...(selector.values?.length ? [selector.values.join(',')] : [])].join(' ');
}
