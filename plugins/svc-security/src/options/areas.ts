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
  /**
   * `true` takes a password by HTTP Basic also from users who have a second factor, which Basic cannot ask for.
   * Default `false`: they are refused as with a wrong password.
   */
  readonly basicWithoutSecondFactor?: boolean
}

/** A zone after the reader. */
export type AreaConfig = Required<Omit<Area, 'basicWithoutSecondFactor'>> & Pick<Area, 'basicWithoutSecondFactor'>

/** Zones by name; where several match a route, the one declared first holds it. */
export type AreasOptions = Readonly<Record<string, Area>>

export type AreasConfig = Readonly<Record<string, AreaConfig>>

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
      realtime: { type: 'boolean', default: true },
      basicWithoutSecondFactor: { type: 'boolean', default: false }
    }
  }
} as const
