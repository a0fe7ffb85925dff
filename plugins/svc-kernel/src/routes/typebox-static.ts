/**
 * The type of what a schema of TypeBox 1 lets through, read from the shape of the schema's own type: its `Static` would
 * have to be imported, and an application without TypeBox has nothing to import it from. TypeBox 0.34 carries the type
 * along. What has no shape of its own, such as a reference, is `unknown`.
 */

/** @returns `unknown` for what is no schema of TypeBox 1 */
export type TypeBoxStatic<Schema> = Schema extends { readonly '~unsafe': infer Value }
  ? Value
  : Schema extends { readonly '~kind': infer Kind }
    ? Kind extends keyof Primitives
      ? Primitives[Kind]
      : Compound<Schema>
    : unknown

interface Primitives {
  String: string
  Number: number
  Integer: number
  Boolean: boolean
  BigInt: bigint
  Null: null
  Undefined: undefined
  Symbol: symbol
  Never: never
  Any: unknown
  Unknown: unknown
}

type Compound<Schema> = Schema extends { readonly '~kind': 'Object'; readonly properties: infer Properties }
  ? ObjectOf<Properties>
  : Schema extends { readonly '~kind': 'Array'; readonly items: infer Item }
    ? Array<TypeBoxStatic<Item>>
    : Schema extends { readonly '~kind': 'Tuple'; readonly items: infer Items extends unknown[] }
      ? { [Index in keyof Items]: TypeBoxStatic<Items[Index]> }
      : Schema extends { readonly '~kind': 'Literal'; readonly const: infer Value }
        ? Value
        : Schema extends { readonly '~kind': 'Enum'; readonly enum: ReadonlyArray<infer Value> }
          ? Value
          : Schema extends { readonly '~kind': 'Union'; readonly anyOf: ReadonlyArray<infer Choice> }
            ? Each<Choice>
            : Schema extends { readonly '~kind': 'Intersect'; readonly allOf: infer Parts }
              ? All<Parts>
              : Schema extends { readonly '~kind': 'Record'; readonly patternProperties: infer Values }
                ? Record<string, TypeBoxStatic<Values[keyof Values]>>
                : unknown

type Each<Choice> = Choice extends unknown ? TypeBoxStatic<Choice> : never

type All<Parts> = Parts extends readonly [infer First, ...infer Others] ? TypeBoxStatic<First> & All<Others> : unknown

type OptionalKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly '~optional': true } ? Key : never
}[keyof Properties]

type ReadonlyKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly '~readonly': true } ? Key : never
}[keyof Properties]

type Picked<Properties, Keys> = { [Key in Extract<keyof Properties, Keys>]: TypeBoxStatic<Properties[Key]> }

type ObjectOf<Properties> = Flat<
  Picked<Properties, Exclude<keyof Properties, OptionalKey<Properties> | ReadonlyKey<Properties>>> &
    Readonly<Picked<Properties, Exclude<ReadonlyKey<Properties>, OptionalKey<Properties>>>> &
    Partial<Picked<Properties, Exclude<OptionalKey<Properties>, ReadonlyKey<Properties>>>> &
    Readonly<Partial<Picked<Properties, OptionalKey<Properties> & ReadonlyKey<Properties>>>>
>

type Flat<Whole> = { [Key in keyof Whole]: Whole[Key] }
