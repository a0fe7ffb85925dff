/**
 * The types of a schema, so that an option is written once: as an operator writes it, and as a plugin reads it.
 * A doc comment on a property of the schema is what editors show, and what the options reference prints.
 */

/** Options as they are written: what has a default may be left out. `Schema` is the type of a literal `as const`. */
export type OptionsOf<Schema> = Value<Schema, never>

/** Options after the reader: completed with defaults, and frozen. */
export type ConfigOf<Schema> = Value<Schema, { readonly default: unknown }>

/** @param Filled schemas of the keys that are there, though they are not required */
type Value<Schema, Filled> = Schema extends { readonly enum: ReadonlyArray<infer Choice> }
  ? Choice
  : Schema extends { readonly const: infer Only }
    ? Only
    : Schema extends { readonly anyOf: ReadonlyArray<infer Branch> }
      ? Each<Branch, Filled>
      : Schema extends { readonly type: 'array'; readonly items: infer Item }
        ? ReadonlyArray<Value<Item, Filled>>
        : Schema extends { readonly properties: infer Properties }
          ? Keyed<Schema, Properties, Filled>
          : Schema extends { readonly additionalProperties: infer Item extends object }
            ? Readonly<Record<string, Value<Item, Filled>>>
            : Schema extends { readonly type: ReadonlyArray<infer Name extends keyof Primitives> }
              ? Primitives[Name]
              : Schema extends { readonly type: infer Name extends keyof Primitives }
                ? Primitives[Name]
                : unknown

interface Primitives {
  string: string
  integer: number
  number: number
  boolean: boolean
  null: null
}

type Each<Branch, Filled> = Branch extends unknown ? Value<Branch, Filled> : never

/** An object that permits keys beside those it declares may hold anything. */
type Keyed<Schema, Properties, Filled> = Schema extends { readonly additionalProperties: false }
  ? Declared<Schema, Properties, Filled>
  : Readonly<Record<string, unknown>>

type Declared<Schema, Properties, Filled> = {
  readonly [Key in keyof Properties as Extract<Key, Present<Schema, Properties, Filled>>]: Value<
    Properties[Key],
    Filled
  >
} & {
  readonly [Key in keyof Properties as Exclude<Key, Present<Schema, Properties, Filled>>]?: Value<
    Properties[Key],
    Filled
  >
} extends infer Whole
  ? { [Key in keyof Whole]: Whole[Key] }
  : never

type Present<Schema, Properties, Filled> =
  | (Schema extends { readonly required: ReadonlyArray<infer Name> } ? Name : never)
  | { [Key in keyof Properties]: Properties[Key] extends Filled ? Key : never }[keyof Properties]
