/** What a file of seeds exports: rows that an application needs to begin with, written through its repositories. */
import type { HookContext } from '../repository/entity-hooks.ts'

/** The transaction of the seed, and repositories in it. */
export type SeedContext = HookContext

/** Writes rows that an application needs to begin with, in one transaction. */
export type Seed = (context: SeedContext) => Promise<void>

/** Returns the seed with its type: `export default defineSeed(async ({ repository }) => { ... })`. */
export function defineSeed(seed: Seed): Seed {
  return seed
}
