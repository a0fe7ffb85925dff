/**
 * JSON Schemas of what the routes of plugins take and answer, and the type of the values that such a schema describes. An
 * answer shows the properties that its schema declares and no others.
 */

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
export const number = { type: 'number' } as const
export const flag = { type: 'boolean' } as const
export const texts = { type: 'array', items: text } as const
export const textOrNull = { type: ['string', 'null'] } as const
export const integerOrNull = { type: ['integer', 'null'] } as const
export const numberOrNull = { type: ['number', 'null'] } as const

/** An object whose properties no schema lists. */
export const anyObject = { type: 'object', additionalProperties: true } as const

/** A text of 1 to `maxLength` characters. */
export const textUpTo = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const

export const listOf = <const Items>(items: Items) => ({ type: 'array', items }) as const

/** An object with any keys, each with a value of this schema. */
export const mapOf = <const Values>(values: Values) => ({ type: 'object', additionalProperties: values }) as const

/** @param always properties that are always there @param sometimes properties that may be absent */
export function object<const Always extends object, const Sometimes extends object = object>(
  always: Always,
  sometimes?: Sometimes
) {
  return {
    type: 'object',
    required: Object.keys(always) as (keyof Always & string)[],
    properties: { ...always, ...sometimes } as Always & Sometimes
  } as const
}

/** As `object`, or null. */
export function objectOrNull<const Always extends object, const Sometimes extends object = object>(
  always: Always,
  sometimes?: Sometimes
) {
  return { ...object(always, sometimes), type: ['object', 'null'] } as const
}

/** A body, or a query, with these keys and no others. */
export function closed<const Required extends object, const Optional extends object = object>(
  required: Required,
  optional?: Optional
) {
  return { ...object(required, optional), additionalProperties: false } as const
}

/** The type of the values that a JSON Schema describes. The schema must be a constant: `as const`, or of `object`. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: ReadonlyArray<infer Value> }
    ? Value
    : Schema extends { readonly anyOf: ReadonlyArray<infer Choice> }
      ? FromEach<Choice>
      : Schema extends { readonly type: infer Type }
        ? OfType<Type extends ReadonlyArray<infer Each> ? Each : Type, Schema>
        : unknown

type FromEach<Choice> = Choice extends unknown ? FromSchema<Choice> : never

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ReadonlyArray<Schema extends { readonly items: infer Items } ? FromSchema<Items> : unknown>
          : Type extends 'object'
            ? FromObject<Schema>
            : unknown

type FromObject<Schema> = Schema extends { readonly properties: infer Declared }
  ? Flat<
      {
        readonly [Key in keyof Declared as Key extends RequiredOf<Schema> ? Key : never]: FromSchema<Declared[Key]>
      } & {
        readonly [Key in keyof Declared as Key extends RequiredOf<Schema> ? never : Key]?: FromSchema<Declared[Key]>
      }
    >
  : Schema extends { readonly additionalProperties: infer Values }
    ? Readonly<Record<string, Values extends true ? unknown : FromSchema<Values>>>
    : Readonly<Record<string, unknown>>

type RequiredOf<Schema> = Schema extends { readonly required: ReadonlyArray<infer Key> } ? Key : never

type Flat<Whole> = { [Key in keyof Whole]: Whole[Key] }
