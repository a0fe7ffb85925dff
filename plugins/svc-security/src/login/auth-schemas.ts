/** Bodies and answers of the login routes. An undeclared field never leaves. */
import { MAX_PASSWORD_LENGTH } from '../users/password-text.ts'

const user = {
  type: 'object',
  properties: { identifier: { type: 'string' }, roles: { type: 'array', items: { type: 'string' } } }
} as const

export const loginSchema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['username', 'password'],
    properties: {
      username: { type: 'string', minLength: 1, maxLength: 256 },
      password: { type: 'string', minLength: 1, maxLength: MAX_PASSWORD_LENGTH }
    }
  },
  response: {
    200: { type: 'object', properties: { user } },
    202: {
      type: 'object',
      properties: { mfaRequired: { type: 'boolean' }, methods: { type: 'array', items: { type: 'string' } } }
    }
  }
} as const

export const logoutSchema = { response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } } } as const

export const meSchema = {
  response: { 200: { type: 'object', properties: { user, csrfToken: { type: 'string' } } } }
} as const

export const csrfTokenSchema = {
  response: { 200: { type: 'object', properties: { csrfToken: { type: 'string' } } } }
} as const
