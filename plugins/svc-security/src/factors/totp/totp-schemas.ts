/** Bodies and answers of the one-time code routes. An undeclared field never leaves. */

/** A code of six digits, or a recovery code; what is neither is refused as a wrong one. */
export const codeSchema = {
  type: 'object',
  required: ['code'],
  additionalProperties: false,
  properties: { code: { type: 'string', minLength: 1, maxLength: 64 } }
} as const

export const enrolledSchema = {
  200: { type: 'object', properties: { secret: { type: 'string' }, uri: { type: 'string' } } }
} as const

export const recoveryCodesSchema = {
  200: { type: 'object', properties: { recoveryCodes: { type: 'array', items: { type: 'string' } } } }
} as const

export const okSchema = { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } } as const

export const statusSchema = {
  200: {
    type: 'object',
    properties: { enabled: { type: 'boolean' }, recoveryCodesLeft: { type: 'integer' } }
  }
} as const
