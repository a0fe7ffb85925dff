/**
 * svc-mcp: routes as tools, resources and prompts of the Model Context Protocol, over streamable HTTP. A call runs the route as
 * a request does: zone, guard, validation, limit, idempotency, handler. What a caller may not call is not listed.
 *
 * Decorates  nothing
 * Hooks      onRequest: keeps a call at the route of its tool
 * Needs      nothing (svc-kernel is added when absent); @modelcontextprotocol/server, which is loaded with the first request
 */
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify'
import {
  appHost,
  BootError,
  decoratorOf,
  definePlugin,
  ensureKernel,
  inProduction,
  type Problem,
  readOptions
} from 'svc-kernel'
import { serverHooks } from 'svc-kernel/plugin'
import { endpointZone } from './authorization/endpoint-zone.ts'
import { hostCheck } from './authorization/host-check.ts'
import { CallableRoutes } from './authorization/visible-tools.ts'
import { Challenges, isScope } from './calls/challenges.ts'
import { dispatcher, meetToolCall } from './calls/dispatch.ts'
import { ToolCalls } from './calls/tool-calls.ts'
import { type McpConfig, optionsSchema, type SvcMcpOptions } from './options.ts'
import { readPrompts } from './prompts/prompts.ts'
import { collectResources } from './resources/resource.ts'
import { mcpRoutes, metadataPath, metadataRoute } from './server/mcp.routes.ts'
import type { ServedParts } from './server/mcp-server.ts'
import { collectTools } from './tools/tool.ts'

const plugin: FastifyPluginAsync<SvcMcpOptions> = async (fastify, given) => {
  const server = serverHooks(fastify, { name: 'svc-mcp', code: 'SVC_MCP_NOT_ROOT' })
  await ensureKernel(fastify)
  const config = readOptions<McpConfig>('svc-mcp', optionsSchema, given)
  refuseMissingPackage()
  const { audience, problems: ofZone } = endpointZone(fastify, config.path)
  const challenges = new Challenges(
    fastify,
    audience === null ? null : `${new URL(audience).origin}${metadataPath(audience)}`
  )
  const hosts = {
    hosts: [...(audience === null ? [] : [new URL(audience).host]), ...config.hosts],
    origins: [...(audience === null ? [] : [new URL(audience).origin]), ...config.origins],
    loopback: !inProduction(fastify)
  }
  const problems = [...ofZone, ...hostProblems(hosts)]
  if (problems.length > 0) throw new BootError(problems)
  let parts: ServedParts | null = null
  const served = () => parts as ServedParts
  server.addHook('onRequest', meetToolCall())
  const close = mcpRoutes(fastify, {
    path: config.path,
    parts: served,
    challenges: () => challenges,
    refusal: hostCheck(hosts)
  })
  if (audience !== null) {
    metadataRoute(fastify, audience, () => ({
      resource: audience,
      authorization_servers: config.authorizationServers,
      scopes_supported: scopesOf(served()),
      bearer_methods_supported: ['header'],
      resource_name: config.name
    }))
  }
  fastify.addHook('onReady', async () => {
    parts = serve(fastify, config, challenges)
  })
  fastify.addHook('preClose', close)
}

/** @throws BootError with every problem of every tool, resource and prompt */
function serve(fastify: FastifyInstance, config: McpConfig, challenges: Challenges): ServedParts {
  const { name, version, instructions = null, pageSize } = config
  const shared = fastify.getSchemas()
  const { tools, problems } = collectTools(fastify.declaredRoutes, shared, (options) => isGated(fastify, options))
  const { resources, problems: ofResources } = collectResources(fastify.declaredRoutes, shared)
  const folder = config.prompts === undefined ? null : resolve(appHost(fastify).root, config.prompts)
  const { prompts, problems: ofPrompts } =
    folder === null ? { prompts: [], problems: [] } : readPrompts(folder, 'svc-mcp.prompts')
  const all = [...problems, ...ofResources, ...ofPrompts]
  if (all.length > 0) throw new BootError(all)
  const dispatch = dispatcher(fastify, { timeoutMs: config.callTimeoutMs, maxBytes: config.maxAnswerBytes })
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const calls = new ToolCalls(fastify, { tools: named, dispatch, challenges })
  const info = { name, version }
  const callable = new CallableRoutes(fastify)
  return { info, instructions, pageSize, tools: named, resources, prompts, calls, dispatch, challenges, callable }
}

/** Whether a repeated key repeats the answer: the gate of the route, or that of svc-realtime. */
function isGated(fastify: FastifyInstance, { preHandler, config }: RouteOptions): boolean {
  const gate = decoratorOf(fastify, 'gates')?.idempotency.preHandler
  if (gate === undefined) return false
  const { realtime } = (config ?? {}) as { realtime?: boolean }
  return realtime === true || [preHandler ?? []].flat().includes(gate as never)
}

function scopesOf({ tools, resources }: ServedParts): string[] {
  const served = [...tools.values(), ...resources]
  const attributes = served.flatMap(({ requirement }) => requirement?.flat().map(({ attribute }) => attribute) ?? [])
  return [...new Set(attributes.filter(isScope))].sort()
}

function hostProblems({
  hosts,
  loopback
}: {
  readonly hosts: readonly string[]
  readonly loopback: boolean
}): Problem[] {
  if (loopback || hosts.length > 0) return []
  return [
    {
      code: 'SVC_MCP_HOSTS',
      message: 'nothing says which hosts the MCP endpoint has, so pages that rebind their name could call it',
      at: 'svc-mcp.hosts',
      expected: "the host of the application, such as ['api.example']",
      fix: 'set hosts, or the audience of the zone of the endpoint',
      more: 'npx svc docs tools-for-agents'
    }
  ]
}

/** Found now, loaded with the first request: its libraries take longer to load than this package. */
function refuseMissingPackage(): void {
  const name = '@modelcontextprotocol/server'
  try {
    import.meta.resolve(name)
  } catch (cause) {
    const problem = {
      code: 'SVC_NOT_INSTALLED',
      message: `svc-mcp needs the package ${name}, which is not installed`,
      at: 'svc-mcp',
      got: 'no such package',
      expected: `${name} among the dependencies of the application`,
      fix: `npm install ${name}`,
      more: 'npx svc docs startup-problems'
    }
    throw new BootError([problem], { cause })
  }
}

const svcMcp: FastifyPluginAsync<SvcMcpOptions> = definePlugin(plugin, {
  name: 'svc-mcp',
  optionsSchema,
  after: ['svc-security', 'svc-audit']
})

export default svcMcp

export * from './errors.ts'
export type { SvcMcpOptions } from './options.ts'
