/** Calls of tools: run, checked against their schema in development, recorded with the program and the person behind them. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inProduction } from 'svc-kernel'
import { UnknownTool } from '../errors.ts'
import type { Tool } from '../tools/tool.ts'
import { AnswerChecks } from './answer-checks.ts'
import type { Challenge, Challenges } from './challenges.ts'
import type { Dispatcher } from './dispatch.ts'
import { CODE, failureResult, STATUS, type ToolResult, toolResult } from './tool-result.ts'

/** The outcome of a call. */
export interface ToolCall {
  readonly result: ToolResult
  /** What is answered instead of the result. */
  readonly challenge: Challenge | null
}

export interface ToolCallsParts {
  readonly tools: ReadonlyMap<string, Tool>
  readonly dispatch: Dispatcher
  readonly challenges: Challenges
}

export class ToolCalls {
  readonly #fastify: FastifyInstance
  readonly #parts: ToolCallsParts
  readonly #checks: AnswerChecks | null

  constructor(fastify: FastifyInstance, parts: ToolCallsParts) {
    this.#fastify = fastify
    this.#parts = parts
    this.#checks = inProduction(fastify) ? null : new AnswerChecks()
  }

  /**
   * Never rejects.
   *
   * @param client name and version of the program, as it says itself
   */
  async call(
    request: FastifyRequest,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { client = null, signal }: { readonly client?: string | null; readonly signal?: AbortSignal | undefined } = {}
  ): Promise<ToolCall> {
    const tool = this.#parts.tools.get(name)
    if (tool === undefined) return { result: failureResult(new UnknownTool(JSON.stringify(name))), challenge: null }
    const call = await this.#run(request, tool, args, signal)
    this.#record(request, tool, call.result, client)
    return call
  }

  async #run(
    request: FastifyRequest,
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal
  ): Promise<ToolCall> {
    try {
      const answer = await this.#parts.dispatch.run(request, tool, args, signal)
      const result = toolResult(tool, answer)
      const refused = answer.status === 401 || answer.status === 403
      if (refused) return { result, challenge: await this.#parts.challenges.of(request, tool, answer) }
      const fault = this.#checks?.faultOf(tool, result) ?? null
      if (fault === null) return { result, challenge: null }
      request.log.warn(
        { code: 'SVC_MCP_ANSWER', tool: tool.name, at: tool.source ?? `${tool.method} ${tool.path}`, fault },
        `the answer of the tool ${tool.name} does not match its schema: ${fault}`
      )
      return { result, challenge: null }
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === undefined)
        request.log.error({ err: error }, 'a tool failed')
      return { result: failureResult(error), challenge: null }
    }
  }

  #record(
    request: FastifyRequest,
    { name, path, method }: Tool,
    { isError, _meta }: ToolResult,
    client: string | null
  ): void {
    if (!this.#fastify.hasDecorator('audit')) return
    const { token } = request
    const status = _meta[STATUS] as number
    const outcome = isError !== true ? 'success' : status === 401 || status === 403 ? 'denied' : 'failure'
    const claims = (token as { claims?: { client_id?: unknown; azp?: unknown } } | null)?.claims
    const clientId = claims?.client_id ?? claims?.azp
    this.#fastify.audit.record({
      category: 'authz',
      action: 'tool.called',
      outcome,
      actor: token?.getUserIdentifier() ?? null,
      resource: name,
      reason: (_meta[CODE] as string | undefined) ?? null,
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      requestId: request.id,
      metadata: {
        route: `${method} ${path}`,
        status,
        ...(client === null ? {} : { client }),
        ...(typeof clientId === 'string' ? { clientId } : {})
      }
    })
  }
}
