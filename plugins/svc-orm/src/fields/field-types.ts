/** The field types, and what their objects say of a field. */
import { bigintType } from './bigint.ts'
import { booleanType } from './boolean.ts'
import { bytesType } from './bytes.ts'
import { dateType } from './date.ts'
import { dayType } from './day.ts'
import { decimalType } from './decimal.ts'
import { emailType } from './email.ts'
import { enumType } from './enum.ts'
import type { ExactNumber } from './exact-number.ts'
import { type FieldSettings, type FieldTypeDefinition, isLongerThan, type Setting } from './field-type.ts'
import { floatType } from './float.ts'
import { idType } from './id.ts'
import { integerType } from './integer.ts'
import { intervalType } from './interval.ts'
import { type JsonValue, jsonType } from './json.ts'
import { moneyType } from './money.ts'
import { stringType } from './string.ts'
import { textType } from './text.ts'
import { urlType } from './url.ts'
import { uuidType } from './uuid.ts'

/** What rows have in a field of each type. */
export interface FieldTypes {
  string: string
  text: string
  integer: number
  float: number
  bigint: ExactNumber
  decimal: ExactNumber
  money: string
  boolean: boolean
  date: Date
  day: string
  uuid: string
  email: string
  url: string
  interval: string
  enum: string
  json: JsonValue
  bytes: Uint8Array
  id: string
}

/**
 * `string`: text; `text`: long text for generators and exports; `integer`: a safe integer; `float`: a finite number;
 * `money`: an amount with `scale` decimals and its currency;
 * `bigint`: a 64-bit integer; `decimal`: an exact number with `scale` decimals; `date`: a time in milliseconds; `day`:
 * a calendar day without a time; `uuid`: as in RFC 9562; `email`, `url`,
 * `interval`: an address, an http URL, an ISO 8601 duration; `enum`: one of `values`; `json`: JSON, described by `schema`
 * if given; `bytes`: binary data; `id`: the id of another row.
 */
export type FieldType = keyof FieldTypes

export const BUILT_IN: Readonly<Record<FieldType, FieldTypeDefinition>> = {
  string: stringType,
  text: textType,
  integer: integerType,
  float: floatType,
  bigint: bigintType,
  decimal: decimalType,
  money: moneyType,
  boolean: booleanType,
  date: dateType,
  day: dayType,
  uuid: uuidType,
  email: emailType,
  url: urlType,
  interval: intervalType,
  enum: enumType,
  json: jsonType,
  bytes: bytesType,
  id: idType
}

/** In the order in which messages name them. */
export const fieldTypes: readonly FieldTypeDefinition[] = Object.values(BUILT_IN)

/** The names of the types that take a setting, for messages: `string, text and bytes`. */
export function takersOf(setting: Setting): string {
  const names = fieldTypes.filter(({ takes }) => takes.includes(setting)).map(({ name }) => name)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** How long a value may be, where it is longer than its field allows: `at most 20 characters`; else `null`. */
export function lengthFault(
  { takes }: FieldTypeDefinition,
  { maxLength }: FieldSettings,
  value: unknown
): string | null {
  if (maxLength === null || maxLength === undefined || !takes.includes('maxLength')) return null
  if (value instanceof Uint8Array) return value.length > maxLength ? `at most ${maxLength} bytes` : null
  return isLongerThan(value as string, maxLength) ? `at most ${maxLength} characters` : null
}
