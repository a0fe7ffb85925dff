/** Decorators of parameters: what a method is called with. Undecorated parameters are refused at boot. */
import { callSite, showCall } from '../declarations/call-site.ts'
import type { ParameterDeclaration, ParameterKind } from '../declarations/declarations.ts'
import { onParameter, type ParameterOnly } from '../declarations/declare.ts'

/**
 * Injects the frozen `{identifier, roles}` of the caller: the anonymous user where there is no proof of identity,
 * never `null` and never a credential.
 */
export function CurrentUser(): ParameterOnly {
  return declareParameter('user', {}, 'CurrentUser', [], callSite(CurrentUser))
}

/**
 * Injects the parsed and validated body; on WEBSOCKET the JSON of the message.
 *
 * @param options `stream: true` injects the raw bytes as a readable stream instead, whatever the content
 * type, bounded by `bodyLimit`; for receivers that verify a signature. HTTP only.
 */
export function Body(options: { stream?: boolean } = {}): ParameterOnly {
  const args = [options.stream === undefined ? undefined : options]
  return declareParameter('body', { stream: options.stream === true }, 'Body', args, callSite(Body))
}

/**
 * Injects one value of the query string, or all of it. On WEBSOCKET that of the upgrade request.
 *
 * @param name absent for the whole object
 */
export function Query(name?: string): ParameterOnly {
  return declareParameter('query', { name }, 'Query', [name], callSite(Query))
}

/**
 * Injects one decoded route parameter, or all of them.
 *
 * @param name a parameter of the path, checked at boot; absent for the whole object
 */
export function Param(name?: string): ParameterOnly {
  return declareParameter('param', { name }, 'Param', [name], callSite(Param))
}

/**
 * Injects one header, or all of them. On WEBSOCKET those of the upgrade request.
 *
 * @param name in any case; absent for the whole object, whose keys are lower case
 */
export function Headers(name?: string): ParameterOnly {
  return declareParameter('headers', { name: name?.toLowerCase() }, 'Headers', [name], callSite(Headers))
}

/**
 * Injects the text of the WebSocket message; `undefined` where the same method answers HTTP.
 *
 * @param options `binary: true` injects a Buffer and accepts binary frames too, which are refused otherwise
 */
export function Message(options: { binary?: boolean } = {}): ParameterOnly {
  const args = [options.binary === undefined ? undefined : options]
  return declareParameter('message', { binary: options.binary === true }, 'Message', args, callSite(Message))
}

/** Injects `{transport, request, reply}` on HTTP, `{transport, request, socket, message}` on WEBSOCKET. */
export function Ctx(): ParameterOnly {
  return declareParameter('context', {}, 'Ctx', [], callSite(Ctx))
}

interface ParameterParts {
  name?: string | undefined
  stream?: boolean
  binary?: boolean
}

function declareParameter(
  kind: ParameterKind,
  { name, stream = false, binary = false }: ParameterParts,
  decorator: string,
  args: readonly unknown[],
  source: string | null
): ParameterOnly {
  const declaration: ParameterDeclaration = { decorator: showCall(decorator, args), source, kind, name, stream, binary }
  return (target, key, index) => {
    onParameter(declaration, target, key, index)
  }
}
