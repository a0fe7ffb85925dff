/** Events as an application declares them: once, with the schema of their data. Pure. */
import type { BodyOf } from 'svc-kernel'

/** One event: what its data looks like, and which version of that this is. */
export interface EventDefinition<Schema = unknown> {
  /** JSON Schema or Standard Schema (Zod, TypeBox, Valibot, ArkType) of the data. */
  readonly data: Schema
  /** Of the data, from 1. Receivers get it with every event. */
  readonly version: number
  /** When it happens, as half a sentence; for the descriptions that customers read. */
  readonly description?: string
  /** Data of this event, for the descriptions that customers read. */
  readonly example?: unknown
}

/** Events by their names, such as `ticket.created`. */
export type EventDefinitions = Readonly<Record<string, EventDefinition>>

/** The data of declared events, by name. Of a plain JSON Schema nothing is known: `unknown`. */
export type EventsOf<Definitions extends EventDefinitions> = {
  readonly [Name in keyof Definitions]: BodyOf<Definitions[Name]['data']>
}

/** An event as receivers, listeners and channels get it. */
export interface EventMessage<Type extends string = string, Data = unknown> {
  /** The same for every receiver of this event. */
  readonly id: string
  readonly type: Type
  readonly version: number
  readonly organization: string
  /** Epoch ms. */
  readonly ts: number
  readonly data: Data
}

/**
 * Declares the events of an application, with their types: pass the result as the option `events` of svc-events, and its
 * type to `ApplicationEvents` and to `verifyEvent`.
 */
export function defineEvents<const Definitions extends EventDefinitions>(definitions: Definitions): Definitions {
  return Object.freeze({ ...definitions })
}
