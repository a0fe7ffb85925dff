/** Forms of option values, without what they are for. */

export const milliseconds = { type: 'integer', minimum: 1, maximum: 600_000 } as const
export const seconds = { type: 'integer', minimum: 0, maximum: 31_536_000 } as const
export const role = { type: 'string', format: 'role' } as const
export const rolesByRole = {
  type: 'object',
  propertyNames: role,
  additionalProperties: { type: 'array', items: role }
} as const
export const factor = { enum: ['totp', 'passkey', 'any'] } as const
export const text = { type: 'string', minLength: 1 } as const
export const longText = { ...text, maxLength: 2048 } as const
export const someTexts = { type: 'array', minItems: 1, items: longText } as const
export const providerName = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' } as const
export const providerUrl = {
  type: 'string',
  pattern: '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost)(?::[0-9]+)?(?:/|$))',
  expected: 'an https URL; http on the loopback alone'
} as const
export const localPath = {
  type: 'string',
  pattern: '^/(?![/\\\\])',
  expected: 'a path that begins with one /'
} as const
export const domainName = {
  type: 'string',
  maxLength: 253,
  pattern: '^(?!-)[a-z0-9-]+(?:\\.[a-z0-9-]+)*$',
  expected: 'a domain, in lower case, without a port'
} as const
export const words = { type: 'array', maxItems: 1000, items: { type: 'string', minLength: 4, maxLength: 100 } } as const
export const cookieName = {
  type: 'string',
  pattern: '^(?!__)[A-Za-z0-9_-]{1,64}$',
  expected: 'letters, digits, _ and -, not beginning with __'
} as const
export const realm = {
  type: 'string',
  pattern: '^[ !#-\\[\\]-~]{1,100}$',
  expected: 'printable ASCII without quotes and backslashes'
} as const
const tokenScheme = {
  type: 'string',
  pattern: '^(?!(?:[Bb][Aa][Ss][Ii][Cc]|[Dd][Pp][Oo][Pp])$)[A-Za-z][A-Za-z0-9_-]{0,31}$',
  expected: 'letters, digits, _ and -; neither Basic nor DPoP'
} as const
export const tokenSchemes = { type: 'array', minItems: 1, uniqueItems: true, items: tokenScheme } as const

export const closed = <const Properties>(properties: Properties) =>
  ({ type: 'object', additionalProperties: false, properties }) as const
/** Gets its defaults also if it is not given. A section that is only `closed` switches a feature on if it is given. */
export const section = <const Properties>(properties: Properties) => ({ ...closed(properties), default: {} }) as const
