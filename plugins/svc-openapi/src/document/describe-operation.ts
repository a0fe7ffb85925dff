/**
 * What an operation says beyond its own schemas: name, guard, proofs, transports.
 * What the route's author wrote in `schema` wins. Pure.
 */
import { describeRequirement, type RouteSecurity } from 'svc-kernel'
import { type DescribedAccess, describeAccess } from '../security/security-requirements.ts'
import type { ZoneFacts } from '../security/zone-lookup.ts'

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
  zone: ZoneFacts | null
): DescribedOperation {
  const access = describeAccess(svc, zone)
  const guard = svc?.requirement ? describeRequirement(svc.requirement) : null
  const described = [schema?.description, guard === null ? undefined : `Requires ${guard}.`]
    .filter(Boolean)
    .join('\n\n')
  const tag = svc?.name.includes('.') ? svc.name.slice(0, svc.name.lastIndexOf('.')) : undefined
  return {
    access,
    schema: {
      ...(svc === undefined ? {} : { operationId: svc.name }),
      ...(tag === undefined ? {} : { tags: [tag] }),
      ...(access.security === null ? {} : { security: access.security }),
      ...(guard === null ? {} : { 'x-guard': guard }),
      ...(svc?.transports.includes('WEBSOCKET') ? { 'x-transports': svc.transports } : {}),
      ...schema,
      ...(described === '' ? {} : { description: described })
    }
  }
}
