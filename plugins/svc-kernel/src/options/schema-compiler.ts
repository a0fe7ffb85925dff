/** One Ajv for all option schemas of the process; each schema object is compiled once. */
import { Ajv, type ValidateFunction } from 'ajv'

/** A JSON Schema (draft-07) of an object with `additionalProperties: false` and defaults inside. */
export type OptionsSchema = Readonly<Record<string, unknown>>

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
    formats: { regex: isRegExp, origin: isOrigin, role: /^ROLE_[A-Z0-9_]+$/ },
    keywords: [{ keyword: 'expected', schemaType: 'string' }]
  })
  return checker
}

/** The check of a schema: it fills in defaults, and leaves its errors on itself. */
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
