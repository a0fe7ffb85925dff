/** What `@entities` remembers: an entity as it was written, and where. Checked when the application boots. */
import type { EntityDefinition } from './entity-definition.ts'

/** A class of the driver's own world, such as a Typegoose model: only its driver can describe it. */
// biome-ignore lint/suspicious/noExplicitAny: a model's constructor takes what it likes
export type NativeClass = abstract new (...args: any[]) => object

export type EntitySource = EntityDefinition | NativeClass

export interface Declared {
  readonly source: EntitySource
  /** `null`: the default connector, the first one registered. */
  readonly connector: string | null
  /** `file:line`, when the stack told it. */
  readonly place: string | null
}
