/** Every plugin that is run beside ours, in the order of the table. */
import { answering } from './answering.ts'
import { databases } from './databases.ts'
import { describing } from './describing.ts'
import { identity } from './identity.ts'
import type { Neighbour } from './neighbour.ts'
import { requests } from './requests.ts'
import { sessions } from './sessions.ts'

export const NEIGHBOURS: readonly Neighbour[] = [
  ...identity,
  ...sessions,
  ...requests,
  ...answering,
  ...describing,
  ...databases
]
