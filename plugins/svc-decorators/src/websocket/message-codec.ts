/** Reads messages as JSON bodies and writes results as frames, by the schemas of one route. */
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import secureJson from 'secure-json-parse'
import { answerSchema } from 'svc-kernel/plugin'
import { InvalidJsonMessage, InvalidMessage, UnsendableResult } from '../errors.ts'
import { pendingOf } from '../executor/compile-executor.ts'

/** As Fastify's validators answer: true or false with `errors`, a result, or a promise of one. */
type Validator = ((body: unknown) => unknown) & { errors?: unknown[] | null; schemaEnv?: unknown }

export interface MessageSchemas {
  readonly path: string
  readonly body: unknown
  readonly response: unknown
  /** The route's own; default: the server's. */
  readonly validatorCompiler?: FastifySchemaCompiler<unknown> | undefined
  readonly serializerCompiler?: FastifySerializerCompiler<unknown> | undefined
}

export class MessageCodec {
  readonly #validate: Validator | null
  readonly #serialize: ((value: unknown) => string) | null
  readonly #jsonOptions: {
    protoAction: 'error' | 'remove' | 'ignore'
    constructorAction: 'error' | 'remove' | 'ignore'
  }

  /** Compiles with the compilers of the server, once its routes are ready. */
  constructor(server: FastifyInstance, schemas: MessageSchemas) {
    const { path, body, response, validatorCompiler, serializerCompiler } = schemas
    const route = { method: 'GET', url: path }
    this.#validate =
      body === undefined
        ? null
        : ((validatorCompiler ?? compilerOf(server, 'validatorCompiler'))({
            ...route,
            schema: body,
            httpPart: 'body'
          }) as Validator)
    const answer = answerSchema(response)
    this.#serialize =
      answer === undefined
        ? null
        : ((serializerCompiler ?? compilerOf(server, 'serializerCompiler'))({
            ...route,
            schema: answer,
            httpStatus: '200'
          }) as (value: unknown) => string)
    const { onProtoPoisoning = 'error', onConstructorPoisoning = 'error' } = server.initialConfig
    this.#jsonOptions = { protoAction: onProtoPoisoning, constructorAction: onConstructorPoisoning }
  }

  /** @throws InvalidJsonMessage, InvalidMessage (400); rejects where a validator is asynchronous. */
  readBody(text: string): unknown {
    let body: unknown
    try {
      body = secureJson.parse(text, this.#jsonOptions)
    } catch {
      throw new InvalidJsonMessage()
    }
    const validate = this.#validate
    if (validate === null) return body
    const verdict = validate(body)
    const pending = pendingOf(verdict)
    if (pending === null) return validated(verdict, body, validate)
    // An asynchronous one of Ajv brings the message itself, whose keys are no verdict, or rejects with its errors.
    if (validate.schemaEnv !== undefined) return pending.then(() => body, refuse)
    return pending.then((settled) => validated(settled, body, validate))
  }

  /** @returns the frame to send, or `undefined` when the method returned nothing that has a JSON form. */
  writeResult(result: unknown): string | Uint8Array | undefined {
    if (result instanceof Uint8Array) return result
    if (typeof (result as { pipe?: unknown } | null)?.pipe === 'function') throw new UnsendableResult()
    return this.#serialize === null ? JSON.stringify(result) : this.#serialize(result)
  }
}

function validated(verdict: unknown, body: unknown, validate: Validator): unknown {
  if (verdict === false) throw invalid(validate.errors ?? [])
  if (typeof verdict !== 'object' || verdict === null) return body
  const { error, value } = verdict as { error?: unknown; value?: unknown }
  if (error !== undefined && error !== null)
    throw error instanceof Error ? invalid([{ message: error.message }]) : invalid([error].flat())
  return 'value' in verdict ? value : body
}

function refuse(thrown: { errors?: unknown }): never {
  throw Array.isArray(thrown.errors) ? invalid(thrown.errors) : thrown
}

function invalid(errors: readonly unknown[]): Error {
  return Object.assign(new InvalidMessage(), { validation: errors, validationContext: 'body' })
}

type Compiler = (route: object) => unknown

function compilerOf(server: FastifyInstance, name: 'validatorCompiler' | 'serializerCompiler'): Compiler {
  return server[name] as unknown as Compiler
}
