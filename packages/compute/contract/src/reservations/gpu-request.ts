import { Duration, Instant } from '@kit/operation';
import { z } from 'zod';
import { PoolId } from '../ids.ts';
import { limits } from '../limits.ts';

/** Printable ASCII, as labels are: a person may have to read it before approving, and no other letter can look like one of these. */
const ascii = (max: number) => z.string().regex(new RegExp(`^[ -~]{1,${max}}$`), `must be 1 to ${max} printable ASCII characters`);
const label = ascii(limits.labelMax);
const NUMERIC = /^[+-]?\d+(\.\d+)?$/;

/** One expression on labels of nodes and GPUs, with the rules of Kubernetes (compute.md §5.1). */
export const Selector = z
  .strictObject({
    key: label.meta({ description: 'A label, or gpu.model, gpu.product, gpu.memoryGiB, node.id, node.region.' }),
    op: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Gte', 'Lt', 'Lte']).meta({ description: 'Gt, Gte, Lt and Lte compare numbers.' }),
    values: z
      .array(label)
      .max(limits.selectorValuesMax)
      .optional()
      .meta({ description: 'At least one for In and NotIn, one number for Gt, Gte, Lt and Lte, none for Exists and DoesNotExist.' }),
  })
  .refine((s) => (s.op === 'In' || s.op === 'NotIn' ? (s.values?.length ?? 0) > 0 : true), { path: ['values'], error: 'needs at least one value for this op' })
  .refine((s) => (s.op === 'Exists' || s.op === 'DoesNotExist' ? (s.values?.length ?? 0) === 0 : true), {
    path: ['values'],
    error: 'takes no value for this op',
  })
  .refine((s) => (/^[GL]te?$/.test(s.op) ? s.values?.length === 1 && NUMERIC.test(s.values[0]!) : true), {
    path: ['values'],
    error: 'needs one number for this op',
  });

const selectors = z.array(Selector).max(limits.selectorsMax);

/** One device request of class `gpu` (compute.md §5.1). */
export const DeviceRequest = z.strictObject({
  class: z.literal('gpu'),
  count: z.int().min(1).max(limits.gpusMax).meta({ description: 'Whole GPUs, 1 to 64.' }),
  model: ascii(limits.modelMax).optional().meta({ description: 'GPU model, such as H100.' }),
  product: ascii(limits.productMax).optional().meta({ description: 'Exact product, such as H100-SXM5-80GB.' }),
  nvlink: z.boolean().default(false).meta({ description: 'All GPUs in one NVLink domain.' }),
  selector: selectors.default([]).meta({ description: 'Expressions that every node and GPU must satisfy.' }),
});

export type DeviceRequest = z.output<typeof DeviceRequest>;

/** What is asked of a pool, in the form of the API (compute.md §5.1). */
export const requestMembers = {
  poolId: PoolId,
  requests: z
    .array(DeviceRequest)
    .min(1)
    .max(limits.gangMax)
    .refine((parts) => parts.reduce((sum, part) => sum + part.selector.length, 0) <= limits.selectorsInAllMax, {
      error: `at most ${limits.selectorsInAllMax} selector expressions in all`,
    })
    .meta({ description: 'One device request; 2 to 16 are a gang, placed all or none, with at most 64 selector expressions in all.' }),
  resources: z
    .strictObject({
      vcpu: z.int().min(0).max(limits.vcpuMax).optional().meta({ description: 'Host CPUs in all, 0 to 4096.' }),
      memoryGiB: z.int().min(0).max(limits.memoryGiBMax).optional().meta({ description: 'Host memory in all, GiB, 0 to 65536.' }),
    })
    .optional()
    .meta({ description: "Host share to book with the GPUs; default: the pool's share per GPU." }),
  binding: z.enum(['hold', 'kubernetes']).default('hold').meta({ description: 'hold: yours to use as you like; kubernetes: turned into cluster objects.' }),
  duration: Duration.meta({ description: 'How long, such as 30m, 8h or 3d.' }),
  startsAt: Instant.optional().meta({ description: 'Start at this moment, epoch milliseconds, up to 90 days ahead; default: as soon as placed.' }),
  wholeNodes: z.boolean().default(false).meta({ description: 'Take every GPU, vCPU and GiB of the nodes.' }),
  spot: z.boolean().default(false).meta({ description: 'May be pre-empted by others.' }),
};

/** The seed's flat arguments: shared by both GPU tools and the CLI. */
export const gpuArguments = {
  poolId: PoolId,
  gpus: z.int().min(1).max(limits.gpusMax).meta({ description: 'Whole GPUs, 1 to 64.' }),
  duration: requestMembers.duration,
  gpuModel: ascii(limits.modelMax).optional().meta({ description: 'GPU model, such as H100.' }),
  gpuProduct: ascii(limits.productMax).optional().meta({ description: 'Exact product, such as H100-SXM5-80GB.' }),
  nvlink: z.boolean().optional().meta({ description: 'All GPUs in one NVLink domain.' }),
  selector: selectors.optional().meta({ description: 'Up to 32 expressions on labels of nodes and GPUs.' }),
  vcpu: z.int().min(0).max(limits.vcpuMax).optional().meta({ description: "Host CPUs to book, 0 to 4096; default: the pool's share per GPU." }),
  memoryGiB: z.int().min(0).max(limits.memoryGiBMax).optional().meta({ description: "Host memory to book, GiB, 0 to 65536; default: the pool's share." }),
  kubernetes: z.boolean().optional().meta({ description: 'Bind to Kubernetes instead of a plain hold, where the pool can.' }),
};

const GpuArguments = z.strictObject(gpuArguments);
export type GpuArguments = z.output<typeof GpuArguments>;

/** Turns the flat arguments into one device request of class `gpu` [seed]. Pure. */
export function requestOfArguments(a: GpuArguments) {
  const resources = { ...(a.vcpu === undefined ? {} : { vcpu: a.vcpu }), ...(a.memoryGiB === undefined ? {} : { memoryGiB: a.memoryGiB }) };
  return {
    poolId: a.poolId,
    requests: [
      {
        class: 'gpu' as const,
        count: a.gpus,
        ...(a.gpuModel === undefined ? {} : { model: a.gpuModel }),
        ...(a.gpuProduct === undefined ? {} : { product: a.gpuProduct }),
        nvlink: a.nvlink ?? false,
        selector: a.selector ?? [],
      },
    ],
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    binding: a.kubernetes === true ? ('kubernetes' as const) : ('hold' as const),
    duration: a.duration,
  };
}
