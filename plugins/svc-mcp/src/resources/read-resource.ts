/** Reads a resource: its route is run, and what that answers is the text. */
import type { FastifyRequest } from 'fastify'
import type { Challenge, Challenges } from '../calls/challenges.ts'
import type { Dispatcher } from '../calls/dispatch.ts'
import { failureResult, type ToolResult, toolResult } from '../calls/tool-result.ts'
import { OtherRoute } from '../errors.ts'
import type { Resource } from './resource.ts'

export interface ResourceRead {
  readonly result: ToolResult
  readonly challenge: Challenge | null
}

export interface ResourceParts {
  readonly resources: readonly Resource[]
  readonly dispatch: Dispatcher
  readonly challenges: Challenges
}

const AS_IT_IS = { outputSchema: null, wraps: false }

/** @returns `null` for a URI that no resource has. Where several may have it, the router of the application decides. */
export async function readResource(
  { resources, dispatch, challenges }: ResourceParts,
  request: FastifyRequest,
  uri: string,
  signal: AbortSignal
): Promise<ResourceRead | null> {
  for (const resource of resources) {
    const args = resource.argumentsOf(uri)
    if (args === null) continue
    try {
      const answer = await dispatch.run(request, resource, args, signal)
      const refused = answer.status === 401 || answer.status === 403
      const challenge = refused ? await challenges.of(request, resource, answer) : null
      return { result: toolResult(AS_IT_IS, answer), challenge }
    } catch (error) {
      if (error instanceof OtherRoute) continue
      if ((error as { statusCode?: number }).statusCode === undefined)
        request.log.error({ err: error }, 'a resource failed')
      return { result: failureResult(error), challenge: null }
    }
  }
  return null
}
