/**
 * The gates before mutations, as other plugins see them: `fastify.gates` of
 * svc-security, switched off where it keeps no accounts (`decoratorOf` says so). They
 * come after the guard and before the handler.
 */
import type { onSendHookHandler, preHandlerHookHandler, preParsingHookHandler } from 'fastify'

export interface GatesPort {
  /** Route option `preParsing`: a change made with a browser's session needs its proof; else 403. */
  readonly csrf: preParsingHookHandler
  /** Route options `preHandler` and `onSend`: an `Idempotency-Key` makes a repeated request answer alike. */
  readonly idempotency: { readonly preHandler: preHandlerHookHandler; readonly onSend: onSendHookHandler }
}
