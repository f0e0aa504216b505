import { computeSections, iamSections, productSections, spineParts } from './requirements/sections.ts';
import { seedStatements } from './requirements/seed.ts';

export interface Requirement {
  /** `B47`, `iam§17.4`, `compute§5.3`, `product§4`, `issue2.3`: how test names cite it. */
  id: string;
  source: string;
  behaviour: string;
}

/** Everything this repository has promised, each with the id that tests cite. */
export const requirements: readonly Requirement[] = [
  ...seedStatements.map(([id, line, behaviour]) => ({ id, source: `seed page, line ${line}`, behaviour })),
  ...computeSections.map(([section, behaviour]) => ({ id: `compute§${section}`, source: `compute.md §${section}`, behaviour })),
  ...iamSections.map(([section, behaviour]) => ({ id: `iam§${section}`, source: `iam.md §${section}`, behaviour })),
  ...productSections.map(([section, behaviour]) => ({ id: `product§${section}`, source: `product.md §${section}`, behaviour })),
  ...spineParts.map(([part, behaviour]) => ({ id: `issue2.${part}`, source: `issue 2, ${part}`, behaviour })),
];
