/** What routes say beyond their own schemas: name, guard, proofs, transports. What the author wrote in `schema` wins. Pure. */
import type { RouteSecurity } from 'svc-kernel'
import { describeRequirement, type RouteError } from 'svc-kernel/plugin'
import { type DescribedAccess, describeAccess, type ZoneFacts } from '../security/security-requirements.ts'

/** The part of a Fastify schema that @fastify/swagger turns into the operation. */
export interface OperationSchema {
  readonly hide?: boolean
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly description?: string
  readonly security?: unknown
  readonly [key: string]: unknown
}

export interface DescribedOperation {
  readonly schema: OperationSchema
  readonly access: DescribedAccess
}

export function describeOperation(
  schema: OperationSchema | undefined,
  svc: RouteSecurity | undefined,
  zone: ZoneFacts | null,
  errors: readonly Required<RouteError>[]
): DescribedOperation {
  const access = describeAccess(svc, zone)
  const guard = svc?.requirement ? describeRequirement(svc.requirement) : null
  const described = [schema?.description, guard === null ? undefined : `Requires ${guard}.`]
    .filter(Boolean)
    .join('\n\n')
  const tag = svc && controllerOf(svc)
  return {
    access,
    schema: {
      ...(svc === undefined ? {} : { operationId: svc.name }),
      ...(tag === undefined ? {} : { tags: [tag] }),
      ...(access.security === null ? {} : { security: access.security }),
      ...(guard === null ? {} : { 'x-guard': guard }),
      ...(errors.length === 0 ? {} : { 'x-errors': errors }),
      ...(svc?.transports.includes('WEBSOCKET') ? { 'x-transports': svc.transports } : {}),
      ...schema,
      ...(described === '' ? {} : { description: described })
    }
  }
}

/** Operations are grouped by it. */
export function controllerOf({ name }: RouteSecurity): string | undefined {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : undefined
}
