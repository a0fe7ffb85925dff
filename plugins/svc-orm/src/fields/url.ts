/** `url`: an absolute address of http or https without credentials, as the WHATWG URL Standard writes it. */
import { hasOnlyStorableText } from 'svc-stores/table'
import { ofTexts, onlyText, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

const PROTOCOLS = ['http:', 'https:']

export const urlType: FieldTypeDefinition = {
  name: 'url',
  like: 'string',
  storage: 'text',
  takes: ['maxLength'],
  can: { ...scalar, search: true },
  narrow: true,
  format: { name: 'uri', expected: 'an absolute http or https URL' },
  from: { ...ofTexts(same), url: same, json: onlyText },
  read: readUrl,
  expected: () => 'an absolute http or https URL without credentials',
  schema: () => ({ type: 'string', format: 'uri' }),
  dbml: ({ maxLength }) => (maxLength ? `varchar(${maxLength})` : 'varchar')
}

/** The parser drops blanks around an address and line breaks within: what has them is none. */
function readUrl(given: unknown): string | undefined {
  if (typeof given !== 'string' || /[\s\\]/.test(given) || !hasOnlyStorableText(given) || !URL.canParse(given))
    return undefined
  const { protocol, username, password, href } = new URL(given)
  return PROTOCOLS.includes(protocol) && username === '' && password === '' ? href : undefined
}
