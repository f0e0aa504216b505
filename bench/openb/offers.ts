import type { Demand } from '@better-compute/placement';
import type { Random } from '../random.ts';

/** The workload's tasks shuffled; more drawn from the same list, or random ones left out, until they ask for `ratio` of all GPUs. */
export function offersOf(tasks: readonly Demand[], gpuMilli: number, ratio: number, random: Random): Demand[] {
  const offers = random.shuffled(tasks);
  const target = ratio * gpuMilli;
  let asked = offers.reduce((sum, task) => sum + task.gpus * task.gpuMilli, 0);
  while (asked > target) {
    const task = offers.pop() as Demand;
    asked -= task.gpus * task.gpuMilli;
  }
  while (asked < target) {
    const task = tasks[random.below(tasks.length)] as Demand;
    offers.push(task);
    asked += task.gpus * task.gpuMilli;
  }
  return offers;
}
