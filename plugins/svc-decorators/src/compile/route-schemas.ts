/**
 * The schemas of a route, sorted by who reads them: what is JSON Schema goes to Fastify, what is a Standard Schema
 * validates by itself, and answers are written by the JSON Schema that its library exports. Pure.
 */
import type { FastifySchema } from 'fastify'
import type { Problem } from 'svc-kernel'
import {
  isForeignSchema,
  isStandardSchema,
  jsonSchemaOf,
  jsonSchemaSerializer,
  type StandardParts,
  standardParts
} from 'svc-kernel/plugin'
import type { RouteDeclaration } from '../declarations/declarations.ts'
import { type RouteSettings, SHORT_SCHEMAS } from '../declarations/route-settings.ts'

/** In the order of Fastify's validation. */
export const INPUT_PARTS = ['params', 'body', 'querystring', 'headers'] as const

export interface SortedSchemas {
  /** Without Standard Schemas: `schema` is what Fastify compiles, and names under a symbol what describes the rest. */
  readonly settings: RouteSettings
  /** What is validated by its own library. */
  readonly standard: StandardParts
  readonly problems: readonly Problem[]
}

/** A route with compilers of its own leaves its schemas to them. */
export function sortSchemas(label: string, { settings, source }: RouteDeclaration): SortedSchemas {
  const problems: Problem[] = SHORT_SCHEMAS.filter((key) => key in settings).map((key) => ({
    code: 'SVC_ROUTE_SCHEMA',
    message: `${label} defines the schema of its ${key} twice: in ${key} and in schema`,
    at: source ?? undefined,
    fix: 'keep one'
  }))
  if (settings.schema === undefined) return { settings, standard: {}, problems }
  const schema: Record<PropertyKey, unknown> = { ...settings.schema }
  const standard: Record<string, unknown> = {}
  if (settings.validatorCompiler === undefined) {
    for (const part of INPUT_PARTS) {
      if (!isStandardSchema(schema[part])) continue
      standard[part] = schema[part]
      delete schema[part]
    }
    if (Object.keys(standard).length > 0) schema[standardParts] = standard
  }
  const sorted: RouteSettings = { ...settings, schema: schema as FastifySchema }
  if (settings.serializerCompiler === undefined && typeof schema.response === 'object' && schema.response !== null) {
    const answers = new Answers(label, source)
    schema.response = answers.exported(schema.response)
    problems.push(...answers.problems)
    // Where all of them are exports, no compiler that the application sets has to understand JSON Schema.
    if (answers.exports > 0 && answers.others === 0) sorted.serializerCompiler = jsonSchemaSerializer
  }
  return { settings: sorted, standard, problems }
}

/** The schemas of a route's answers, by status, and there perhaps by content type. */
class Answers {
  readonly problems: Problem[] = []
  exports = 0
  others = 0
  readonly #label: string
  readonly #source: string | null

  constructor(label: string, source: string | null) {
    this.#label = label
    this.#source = source
  }

  exported(byStatus: object): object {
    return mapped(byStatus, (answer, status) => {
      const content = isStandardSchema(answer) ? undefined : (answer as { content?: object } | null)?.content
      if (content === undefined) return this.#export(answer, `schema.response[${status}]`)
      const byType = mapped(content, (entry, type) => {
        const given = entry as { schema?: unknown }
        return { ...given, schema: this.#export(given.schema, `schema.response[${status}].content['${type}']`) }
      })
      return { ...(answer as object), content: byType }
    })
  }

  #export(answer: unknown, place: string): unknown {
    if (!isStandardSchema(answer)) {
      this.others += 1
      return answer
    }
    this.exports += 1
    try {
      return jsonSchemaOf(answer, 'output', 'draft-07')
    } catch (error) {
      this.problems.push({
        code: 'SVC_ROUTE_SCHEMA',
        message: `${place} of ${this.#label} cannot be exported as JSON Schema, which responses need`,
        at: this.#source ?? undefined,
        got: (error as Error).message,
        expected: 'a schema that its library can export',
        fix: 'write it as JSON Schema, or set a serializerCompiler'
      })
      return {}
    }
  }
}

function mapped(record: object, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

/** Schemas of a library that keeps to no standard, where no compiler reads them but Fastify's own. */
export function foreignProblems(label: string, routes: readonly RouteDeclaration[]): Problem[] {
  return routes
    .filter(({ settings }) => settings.validatorCompiler === undefined)
    .flatMap(({ settings: { schema = {} }, source }) =>
      INPUT_PARTS.filter((part) => isForeignSchema(schema[part])).map((part) => ({
        code: 'SVC_ROUTE_SCHEMA',
        message: `schema.${part} of ${label} is neither JSON Schema nor a Standard Schema`,
        at: source ?? undefined,
        got: describe(schema[part]),
        expected: 'JSON Schema, TypeBox, or a Standard Schema library: Zod 4, Valibot, ArkType',
        fix: 'call setValidatorCompiler(...) before you register svc-decorators, or set validatorCompiler on the route'
      }))
    )
}

function describe(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return typeof schema
  return `an instance of ${schema.constructor?.name || 'an unnamed class'}`
}
