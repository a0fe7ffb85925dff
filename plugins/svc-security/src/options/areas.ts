/** Section `areas`: the zones, in the order in which they are declared. */

/** A zone: which routes it holds and how their callers prove who they are. */
export interface Area {
  /** Regular expression (flag `u`) matched against the full template of each route. */
  readonly pattern: string
  /** Names, tried in this order. */
  readonly authenticators: readonly string[]
  /** `first`: the first that claims the credential decides. `all`: every one must hold. Default `first`. */
  readonly mode?: 'first' | 'all'
  /** `false` keeps the identity away from WebSocket upgrades: guarded WebSocket routes then answer 403. Default `true`. */
  readonly realtime?: boolean
}

/** Zones by name; where several match a route, the one declared first holds it. */
export type AreasOptions = Readonly<Record<string, Area>>

export type AreasConfig = Readonly<Record<string, Required<Area>>>

export const areasSchema = {
  type: 'object',
  default: {},
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['pattern', 'authenticators'],
    properties: {
      pattern: { type: 'string', format: 'regex' },
      authenticators: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } },
      mode: { enum: ['first', 'all'], default: 'first' },
      realtime: { type: 'boolean', default: true }
    }
  }
} as const
