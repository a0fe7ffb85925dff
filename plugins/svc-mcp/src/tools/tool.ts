/** A route as a tool: what clients are told of it, and what is needed to call it. */
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { Problem, RouteTool } from 'svc-kernel'
import { type DeclaredRoute, requirementOf } from 'svc-kernel/plugin'
import { jsonContent, type Schema, SchemaDocument, type SharedSchemas } from './json-schema.ts'
import { type ToolInput, toolInput } from './tool-input.ts'

type Requirement = NonNullable<ReturnType<typeof requirementOf>>

/** A route that programs reach through the endpoint. */
export interface ServedRoute {
  readonly name: string
  readonly description: string
  readonly method: string
  /** Full template. */
  readonly path: string
  /** Of the route, with its `url`. */
  readonly config: FastifyContextConfig & { readonly url: string }
  readonly requirement: Requirement | null
  readonly input: ToolInput
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}

export interface Tool extends ServedRoute {
  readonly outputSchema: Schema | null
  /** The answer is the property `result` of what a tool answers, as it is no object. */
  readonly wraps: boolean
  /** Hints for clients; the guard of the route decides. */
  readonly annotations: Readonly<Record<string, boolean>>
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const SAFE = new Set(['GET', 'HEAD'])
const REPLACING = new Set(['PUT', 'PATCH', 'DELETE'])
const MORE = 'npx svc docs tools-for-agents'

/** @param isGated whether the route keeps answers by an idempotency key */
export function collectTools(
  declared: readonly DeclaredRoute[],
  shared: SharedSchemas,
  isGated: (options: RouteOptions) => boolean
): { readonly tools: readonly Tool[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const tools = servedRoutes(declared, 'tool').flatMap(({ url, options, method, setting }): Tool[] => {
    const input = toolInput({ ...options, url }, method, shared, !SAFE.has(method) && isGated(options))
    const served = describe({ url, options, method, setting, input }, problems, 'tool')
    const output = outputOf(options, shared)
    const { confirm } = setting as RouteTool
    return [{ ...served, ...output, annotations: annotationsOf(method, confirm) }]
  })
  return { tools, problems: [...problems, ...duplicates(tools, 'tool')] }
}

interface Given {
  readonly url: string
  readonly options: RouteOptions
  readonly method: string
  readonly setting: RouteTool
}

/** Fastify declares a HEAD for each GET, and a route `/` under a prefix twice, with one and the same config. */
export function servedRoutes(declared: readonly DeclaredRoute[], kind: 'tool' | 'resource'): Given[] {
  const seen = new Set<unknown>()
  return declared.flatMap(({ url, options }): Given[] => {
    const given = options.config?.[kind]
    const [method = 'GET'] = [options.method].flat()
    const twin = `${method} ${url.length > 1 ? url.replace(/\/$/, '') : url}`
    if (given === undefined || given === false || method === 'HEAD' || seen.has(twin)) return []
    seen.add(twin)
    return [{ url, options, method, setting: given === true ? {} : given }]
  })
}

/** What any route that is served says of itself; what is wrong with it is added to `problems`. */
export function describe(
  { url, options, method, setting, input }: Given & { readonly input: ToolInput },
  problems: Problem[],
  kind: 'tool' | 'resource'
): ServedRoute {
  const svc = options.config?.svc
  const { summary, description: told } = (options.schema ?? {}) as { summary?: string; description?: string }
  const name =
    setting.name ?? (svc?.name ?? `${method} ${url}`).replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  const description = setting.description ?? [summary, told].filter(Boolean).join('\n\n')
  const at = svc?.source ?? `${method} ${url}`
  const label = `the ${kind} ${JSON.stringify(name)} (${method} ${url})`
  const add = (problem: Omit<Problem, 'at' | 'more'>) => problems.push({ ...problem, at, more: MORE })
  if (description.trim() === '') {
    const fix = `${kind}: { description: '...' }, or summary in the schema of the route`
    add({ code: 'SVC_MCP_DESCRIPTION', message: `${label} has no description`, fix })
  }
  if (!NAME.test(name)) {
    const expected = '1 to 64 letters, digits, _ and -'
    add({
      code: 'SVC_MCP_NAME',
      message: `${label} has an invalid name`,
      got: name,
      expected,
      fix: `${kind}: { name: '...' }`
    })
  }
  const transports = svc?.transports ?? ['HTTP']
  const faults = transports.includes('HTTP') ? input.faults : ['it answers no HTTP requests']
  for (const fault of faults) {
    add({
      code: 'SVC_MCP_ROUTE',
      message: `${label} cannot be served: ${fault}`,
      fix: `remove ${kind} from the route, or change the route`
    })
  }
  const config = { ...options.config, url } as ServedRoute['config']
  return {
    name,
    description,
    method,
    path: url,
    config,
    requirement: requirementOf(options),
    input,
    source: svc?.source ?? null
  }
}

export function duplicates(served: readonly ServedRoute[], kind: string): Problem[] {
  const first = new Map<string, ServedRoute>()
  return served.flatMap((each): Problem[] => {
    const other = first.get(each.name)
    if (other === undefined) {
      first.set(each.name, each)
      return []
    }
    const message = `two ${kind}s have the name ${each.name}: ${other.method} ${other.path} and ${each.method} ${each.path}`
    return [
      {
        code: 'SVC_MCP_DUPLICATE',
        message,
        at: each.source ?? `${each.method} ${each.path}`,
        fix: 'rename one of them',
        more: MORE
      }
    ]
  })
}

/** Of the first good answer that has a schema. */
function outputOf({ schema }: RouteOptions, shared: SharedSchemas): Pick<Tool, 'outputSchema' | 'wraps'> {
  const answers = (schema as { response?: Record<string, unknown> } | undefined)?.response ?? {}
  const status = ['200', '201', '202', '203', '2xx', '2XX', 'default'].find((key) => answers[key] !== undefined)
  const given = status === undefined ? undefined : jsonContent(answers[status])
  const document = new SchemaDocument(shared)
  const root = given === undefined ? null : document.part(given, 'output', 'answer')
  if (root === null) return { outputSchema: null, wraps: false }
  if (root.type === 'object') return { outputSchema: document.with(root), wraps: false }
  const wrapped = { type: 'object', properties: { result: root }, required: ['result'] }
  return { outputSchema: document.with(wrapped), wraps: true }
}

function annotationsOf(method: string, confirm: boolean | undefined): Record<string, boolean> {
  const readOnlyHint = SAFE.has(method) && confirm !== true
  const idempotentHint = SAFE.has(method) || method === 'PUT' || method === 'DELETE'
  const destructiveHint = confirm ?? REPLACING.has(method)
  return { readOnlyHint, destructiveHint: !readOnlyHint && destructiveHint, idempotentHint, openWorldHint: false }
}
