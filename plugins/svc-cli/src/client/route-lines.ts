/**
 * The lines of the map of an application's own routes. A schema says what a route takes and answers, and where there is
 * none the method of the controller does, by reference: such a line follows the class without being written again.
 */
import type { RouteOptions } from 'fastify'
import type { Problem } from 'svc-kernel'
import type { ControllerMethod, DeclaredRoute } from 'svc-kernel/plugin'
import type { Kernel } from '../application/app-packages.ts'
import { generalErrors, type MapLine, type MapPart, paramsText } from './map-text.ts'
import { hasDefaults, keyText, type Side, schemaType } from './schema-type.ts'

/** What the lines need of the application. */
export interface LineParts {
  readonly kernel: Kernel
  /** The name of a class in the map; `null` where no file exports it. */
  className(method: ControllerMethod): string | null
  /** Whether a zone of the firewall has the path. */
  hasZone(path: string): boolean
}

export interface RouteLines {
  readonly lines: readonly MapLine[]
  readonly problems: readonly Problem[]
}

type Schemas = Readonly<Record<string, unknown>>

/** Routes of plugins are not called by an application's own client, but for logging in and the account; pages hide themselves. */
const OF_CLIENTS = /^(?!\/svc\/)|^\/svc\/(?:security\/api\/(?:auth|token)|accounts)(?:\/|$)/
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SAFE = new Set(['GET', 'HEAD'])

export function routeLines(declared: readonly DeclaredRoute[], parts: LineParts): RouteLines {
  const problems: Problem[] = []
  const lines = declared
    .filter(({ url, options }) => OF_CLIENTS.test(url) && url !== '*' && options.constraints === undefined)
    .flatMap((route) => new RouteLine(route, parts, problems).lines())
  // A path that is declared twice, as for another version, has the line of the first.
  return { lines: [...new Map([...lines].reverse().map((line) => [line.name, line])).values()], problems }
}

class RouteLine {
  readonly #path: string
  readonly #options: RouteOptions
  readonly #schemas: Schemas
  readonly #parts: LineParts
  readonly #problems: Problem[]

  constructor({ url, options }: DeclaredRoute, parts: LineParts, problems: Problem[]) {
    this.#path = url
    this.#options = options
    this.#parts = parts
    this.#problems = problems
    const given = (options.schema ?? {}) as Schemas & { readonly [standard: symbol]: object | undefined }
    this.#schemas = { ...given, ...given[parts.kernel.standardParts] }
  }

  lines(): MapLine[] {
    const svc = this.#options.config?.svc
    const methods = this.#parts.kernel.methodsOf(svc)
    const transports = svc?.transports ?? ['HTTP']
    const lines: MapLine[] = []
    if (transports.includes('HTTP') && this.#schemas.hide !== true) {
      for (const method of [this.#options.method].flat()) {
        if (METHODS.has(method)) lines.push(this.#http(method, methods?.http ?? null))
      }
    }
    if (transports.includes('WEBSOCKET') && methods?.websocket != null) lines.push(this.#socket(methods.websocket))
    return lines
  }

  #http(method: string, controller: ControllerMethod | null): MapLine {
    const body = SAFE.has(method) ? undefined : this.#body(controller)
    const query = this.#query(controller)
    return {
      name: `${method} ${this.#path}`,
      params: paramsText(this.#path),
      query,
      body,
      answer: this.#answer(controller),
      errors: this.#errors(method, query !== undefined || this.#path.includes(':'), body !== undefined)
    }
  }

  #socket(controller: ControllerMethod): MapLine {
    const query = this.#query(controller)
    const taken = this.#taken(controller, 'message') ?? this.#taken(controller, 'body')
    const { bodySchema } = controller
    return {
      name: `WEBSOCKET ${this.#path}`,
      params: paramsText(this.#path),
      query,
      message: taken ?? (bodySchema === undefined ? 'unknown' : this.#typeOf(bodySchema, 'input')),
      answer: this.#answer(controller),
      errors: this.#errors('GET', true, false)
    }
  }

  #body(controller: ControllerMethod | null): MapPart | undefined {
    const { body: schema, consumes } = this.#schemas
    const parameter = controller?.parameters.find(({ kind }) => kind === 'body')
    if (parameter?.stream === true) return { text: 'Upload', optional: false }
    if (Array.isArray(consumes) && consumes.includes('multipart/form-data'))
      return { text: 'FormData', optional: false }
    if (schema === undefined) return parameter === undefined ? undefined : this.#unchecked(controller)
    const taken = controller === null ? null : this.#taken(controller, 'body')
    // What the schema fills in is there for the method, and may be left out by the caller.
    const text = taken === null || hasDefaults(schema) ? this.#typeOf(schema, 'input') : taken
    return { text, optional: false }
  }

  /** An annotation validates nothing: a caller may send anything. */
  #unchecked(controller: ControllerMethod | null): MapPart {
    const label = `${controller?.Class.name}.${String(controller?.key)}`
    this.#problems.push({
      code: 'SVC_CLIENT_BODY',
      message: `${label} takes a body without a schema: it is unknown to the client`,
      at: this.#options.config?.svc?.source ?? undefined,
      got: '@Body() alone, which validates nothing',
      fix: 'give the route a body schema, as in { body: Note }'
    })
    return { text: 'unknown', optional: true }
  }

  #query(controller: ControllerMethod | null): MapPart | undefined {
    const schema = this.#schemas.querystring ?? this.#schemas.query
    if (schema !== undefined) {
      const text = this.#typeOf(schema, 'input')
      return { text, optional: !/(?:\{|;) (?:'[^']*'|[\w$]+): /.test(text) }
    }
    const taken = (controller?.parameters ?? []).flatMap(({ kind, name }, index) => {
      return kind === 'query' ? [{ name, type: this.#reference(controller, 'Taken', `, ${index}`) }] : []
    })
    if (taken.length === 0) return undefined
    const whole = taken.find(({ name }) => name === undefined)
    const text =
      whole?.type != null
        ? `Partial<${whole.type}>`
        : `{ ${taken.map(({ name, type }) => `${keyText(name ?? '')}?: ${type ?? 'unknown'}`).join('; ')} }`
    return { text, optional: true }
  }

  #answer(controller: ControllerMethod | null): string {
    const { response } = this.#schemas as { readonly response?: Schemas }
    const good = Object.entries(response ?? {}).filter(([status]) => /^2/.test(status))
    if (good.length === 0) return this.#reference(controller, 'Returned', '') ?? 'unknown'
    const texts = good.map(([status, schema]) =>
      status === '204' ? 'undefined' : this.#typeOf(contentOf(schema), 'output')
    )
    return [...new Set(texts)].join(' | ')
  }

  #errors(method: string, hasInput: boolean, hasBody: boolean): Readonly<Record<string, number>> {
    const { kernel, hasZone } = this.#parts
    const svc = this.#options.config?.svc
    const isZoned = svc?.bypassFirewall !== true && svc?.anonymous !== true && hasZone(this.#path)
    const general = generalErrors({
      hasInput,
      hasBody,
      hasZone: isZoned,
      hasGuard: kernel.requirementOf(this.#options) !== null,
      changes: !SAFE.has(method)
    })
    const own = kernel.errorsOfRoute(this.#options).map(({ code, statusCode }) => [code, statusCode])
    return { ...general, ...Object.fromEntries(own) }
  }

  #taken(controller: ControllerMethod, wanted: 'body' | 'message'): string | null {
    const index = controller.parameters.findIndex(({ kind }) => kind === wanted)
    return index < 0 ? null : this.#reference(controller, 'Taken', `, ${index}`)
  }

  #reference(controller: ControllerMethod | null, type: 'Taken' | 'Returned', rest: string): string | null {
    const name = controller === null || typeof controller.key !== 'string' ? null : this.#parts.className(controller)
    return name === null ? null : `${type}<${name}[${quotedKey(controller)}]${rest}>`
  }

  #typeOf(schema: unknown, side: Side): string {
    const { describedBy, isStandardSchema, jsonSchemaOf, isForeignSchema } = this.#parts.kernel
    const described = (schema as { readonly [describedBy]?: object } | null)?.[describedBy] ?? schema
    if (!isStandardSchema(described)) return isForeignSchema(described) ? 'unknown' : schemaType(described, { side })
    try {
      return schemaType(jsonSchemaOf(described, side, 'draft-07'), { side })
    } catch {
      return 'unknown'
    }
  }
}

function quotedKey(controller: ControllerMethod | null): string {
  return `'${String(controller?.key).replaceAll("'", "\\'")}'`
}

/** Fastify's form with one schema per content type. */
function contentOf(response: unknown): unknown {
  const { content } = (response ?? {}) as { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }
  if (content === undefined || typeof content !== 'object') return response
  return content['application/json']?.schema ?? { type: 'string', format: 'binary' }
}
