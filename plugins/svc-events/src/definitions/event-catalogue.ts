/** The declared events, compiled: checks of their data, and what descriptions say of them. */
import { BootError, type Problem } from 'svc-kernel'
import { isStandardSchema, jsonSchemaOf, nearestName, type ValueCheck, valueCheck } from 'svc-kernel/plugin'
import { InvalidEventData, UnknownEvent } from '../errors.ts'
import type { EventDefinition, EventDefinitions } from './define-events.ts'

/** A declared event, as customers see it. */
export interface EventType {
  readonly type: string
  readonly version: number
  readonly description: string | null
  /** JSON Schema of its data; `null`: the library of the schema exports none. */
  readonly schema: object | null
  /** Data of such an event; `null` without one. */
  readonly example: unknown
}

interface Compiled {
  readonly version: number
  readonly check: ValueCheck
}

const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/
const LONGEST_NAME = 100

export class EventCatalogue {
  readonly #compiled = new Map<string, Compiled>()
  readonly #definitions: ReadonlyMap<string, EventDefinition>
  #types: readonly EventType[] | null = null

  /** @throws BootError (SVC_EVENTS_DEFINITION) with the problems of all definitions */
  constructor(definitions: EventDefinitions) {
    this.#definitions = new Map(Object.entries(definitions))
    const problems: Problem[] = []
    for (const [type, definition] of this.#definitions) {
      const finding = findingOf(type, definition) ?? this.#compile(type, definition)
      if (finding !== null) problems.push(problem(type, finding))
    }
    if (problems.length > 0) throw new BootError(problems)
  }

  get names(): readonly string[] {
    return [...this.#compiled.keys()]
  }

  has(type: string): boolean {
    return this.#compiled.has(type)
  }

  /** @returns the data as its schema makes it, with the version @throws UnknownEvent, InvalidEventData */
  async check(type: string, data: unknown): Promise<{ readonly version: number; readonly data: unknown }> {
    const compiled = this.#compiled.get(type)
    if (compiled === undefined) {
      const near = nearestName(type, this.#compiled.keys())
      throw new UnknownEvent(type, near === undefined ? this.names.join(', ') || 'none' : `did you mean "${near}"?`)
    }
    return { version: compiled.version, data: await compiled.check(data) }
  }

  /** In the order of their declaration. */
  get types(): readonly EventType[] {
    this.#types ??= [...this.#definitions].map(([type, { data, version, description = null, example = null }]) => {
      return { type, version, description, schema: schemaOf(data), example }
    })
    return this.#types
  }

  #compile(type: string, { data, version }: EventDefinition): string | null {
    try {
      const check = valueCheck(data, { of: 'data', refuse: (findings) => new InvalidEventData(type, findings) })
      this.#compiled.set(type, { version, check })
      return null
    } catch (error) {
      return `its schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}

function findingOf(type: string, definition: Partial<EventDefinition> | null): string | null {
  if (!NAME.test(type) || type.length > LONGEST_NAME) {
    return `a name is letters, digits, - and _, in parts that dots separate, and at most ${LONGEST_NAME} characters`
  }
  const { data, version } = definition ?? {}
  if ((typeof data !== 'object' && typeof data !== 'function') || data === null) return 'data has to be a schema'
  return Number.isInteger(version) && (version ?? 0) >= 1 ? null : 'version has to be an integer from 1'
}

function problem(type: string, finding: string): Problem {
  return {
    code: 'SVC_EVENTS_DEFINITION',
    message: `the event "${type}" is not valid: ${finding}`,
    at: `svc-events.events["${type}"]`,
    fix: 'correct it in defineEvents'
  }
}

function schemaOf(schema: unknown): object | null {
  if (!isStandardSchema(schema)) return schema as object
  try {
    return jsonSchemaOf(schema, 'output', 'draft-2020-12')
  } catch {
    return null
  }
}
