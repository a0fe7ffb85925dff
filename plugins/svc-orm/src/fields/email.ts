/** `email`: an address as browsers take it (HTML, valid email address), at most 254 characters; its domain in lower case. */
import { ofTexts, onlyText, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'

const FORM = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** RFC 5321, section 4.5.3.1.3, without its brackets. */
const LONGEST = 254

export const emailType: FieldTypeDefinition = {
  name: 'email',
  like: 'string',
  storage: 'text',
  takes: [],
  can: { ...scalar, search: true },
  narrow: true,
  format: { name: 'email', expected: 'an email address' },
  from: { ...ofTexts(same), email: same, json: onlyText },
  read: (given) =>
    typeof given === 'string' && given.length <= LONGEST && FORM.test(given)
      ? given.replace(/@.*$/, (domain) => domain.toLowerCase())
      : undefined,
  expected: () => 'an email address',
  schema: () => ({ type: 'string', format: 'email' }),
  dbml: () => `varchar(${LONGEST})`
}
