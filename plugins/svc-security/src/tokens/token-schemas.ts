/** Bodies and answers of the token routes. An undeclared field never leaves. */

/** One or more scope tokens (RFC 6749, 3.3), parted by single blanks. */
const scope = {
  type: 'string',
  maxLength: 2000,
  pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$'
} as const

export const issueSchema = {
  body: {
    type: 'object',
    required: ['username', 'password'],
    additionalProperties: false,
    properties: {
      username: { type: 'string', minLength: 1, maxLength: 1024 },
      password: { type: 'string', minLength: 1, maxLength: 4096 },
      scope
    }
  }
} as const

export const refreshSchema = {
  body: {
    type: 'object',
    required: ['refresh_token'],
    additionalProperties: false,
    properties: { refresh_token: { type: 'string', minLength: 1, maxLength: 8192 } }
  }
} as const

export const revokeSchema = {
  body: {
    type: 'object',
    required: ['token'],
    additionalProperties: false,
    properties: { token: { type: 'string', minLength: 1, maxLength: 8192 } }
  },
  response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } }
} as const

export const tokensAnswer = {
  200: {
    type: 'object',
    properties: {
      access_token: { type: 'string' },
      refresh_token: { type: 'string' },
      token_type: { type: 'string' },
      expires_in: { type: 'integer' },
      scope: { type: 'string' }
    }
  }
} as const

export const jwksAnswer = {
  200: {
    type: 'object',
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kty: { type: 'string' },
            crv: { type: 'string' },
            x: { type: 'string' },
            kid: { type: 'string' },
            use: { type: 'string' },
            alg: { type: 'string' }
          }
        }
      }
    }
  }
} as const
