/** Checks options against their schema. Ajv compiles, once, those schemas that have to say what is wrong. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { accepts } from './acceptance.ts'

/** A JSON Schema (draft-07) of an object with `additionalProperties: false` and defaults inside. */
export type OptionsSchema = Readonly<Record<string, unknown>>

const FORMATS = { regex: isRegExp, origin: isOrigin, role: /^ROLE_[A-Z0-9_]+$/ }

const compiled = new WeakMap<OptionsSchema, ValidateFunction>()
let checker: Ajv | undefined

/**
 * Beyond JSON Schema, our schemas use the formats `regex`, `origin` and `role`,
 * and `expected`: words that say what a value may be.
 */
function compiler(): Ajv {
  checker ??= new Ajv({
    allErrors: true,
    useDefaults: true,
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    // Each check runs once or twice; to make its code shorter takes longer than it saves.
    code: { optimize: false },
    formats: FORMATS,
    keywords: [{ keyword: 'expected', schemaType: 'string' }]
  })
  return checker
}

/** What is wrong with options. Fills in the defaults. */
export function violations(schema: OptionsSchema, options: unknown): readonly ErrorObject[] {
  if (accepts(schema, options, FORMATS)) return []
  const validate = compileSchema(schema)
  return validate(options) ? [] : (validate.errors ?? [])
}

/** Exported for the test that holds both ways against each other. */
export function compileSchema(schema: OptionsSchema): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    const { $id: _, ...body } = schema
    validate = compiler().compile(body)
    compiled.set(schema, validate)
  }
  return validate
}

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
