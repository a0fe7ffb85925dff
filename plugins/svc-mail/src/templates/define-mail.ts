/** Templates: plain functions of checked data. */
import type { Infer, StandardSchema } from 'svc-kernel'
import {
  boundedValidation,
  type Checked,
  isStandardSchema,
  type SchemaFault,
  standardValidator
} from 'svc-kernel/plugin'
import { InvalidMailData } from '../errors.ts'
import type { MailContent } from '../messages/message.ts'

/** What a template gets beside its data. */
export interface TemplateContext {
  /** As `send` was given it; `en` without one. */
  readonly locale: string
}

/** A template, from `defineMail`. */
export interface MailTemplate<Data = unknown> {
  readonly name: string
  /** @throws InvalidMailData (400), or what its function throws */
  render(data: Data, context: TemplateContext): Promise<MailContent>
}

const jsonSchema = boundedValidation({ useDefaults: true })

/** What a schema lets through. JSON Schema says no type: the function does. */
type DataOf<Schema> = [Infer<Schema>] extends [never] ? unknown : Infer<Schema>

/**
 * Defines a template.
 *
 * @param options `data`: a JSON Schema or a Standard Schema of what the function gets
 * @example defineMail('welcome', { data: schema }, ({ name }: { name: string }) => ({ subject: 'Welcome', text: `Dear ${name}` }))
 */
export function defineMail<Schema, Data extends DataOf<Schema>>(
  name: string,
  { data: schema }: { readonly data: Schema },
  content: (data: Data, context: TemplateContext) => MailContent | Promise<MailContent>
): MailTemplate<Data> {
  const check = dataCheck(name, schema)
  return { name, render: async (data, context) => content((await check(data)) as Data, context) }
}

function dataCheck(name: string, schema: unknown): (data: unknown) => unknown {
  const taken = (data: unknown, { error, ...rest }: Checked): unknown => {
    if (error !== undefined) throw new InvalidMailData(name, sentence(error))
    return 'value' in rest ? rest.value : data
  }
  if (isStandardSchema(schema)) {
    const validate = standardValidator(schema as StandardSchema)
    return async (data) => taken(data, await validate(data))
  }
  const validate = jsonSchema(schema as object)
  return (given) => {
    // Defaults are filled in, and the caller keeps what it gave.
    const data = structuredClone(given)
    const verdict = validate(data)
    if (verdict === true) return data
    throw new InvalidMailData(name, sentence(Array.isArray(verdict.error) ? verdict.error : []))
  }
}

/** How many faults the sentence names. */
const NAMED = 5

function sentence(faults: readonly Partial<SchemaFault>[]): string {
  const named = faults
    .slice(0, NAMED)
    .map(({ instancePath = '', message = 'is not valid' }) => `data${instancePath} ${message}`)
  return named.join('; ') || 'it is too large to say more'
}
