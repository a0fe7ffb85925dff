/** What a channel of the document is made of, whatever it describes, and the parameters of its address. */

export interface ChannelParts {
  /** Made unique by the document. */
  readonly name: string
  /** A Channel Object without its messages. */
  readonly channel: object
  /** Message Objects by name. */
  readonly messages: Readonly<Record<string, object>>
  readonly operations: readonly ChannelOperation[]
  /** Security schemes that its operations name. */
  readonly proofs: readonly string[]
}

/** An Operation Object, whose message and replies are named. */
export interface ChannelOperation {
  readonly action: 'send' | 'receive'
  readonly message: string
  readonly replies?: readonly string[]
  readonly [key: string]: unknown
}

type Properties = Readonly<Record<string, { readonly description?: unknown; readonly enum?: unknown } | undefined>>

/** Parameter Objects of AsyncAPI have no schema: what they can say of one is taken. */
export function addressParameters(address: string, properties: Properties = {}): { parameters?: object } {
  const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  const parameters = names.map((name) => {
    const { description, enum: values } = properties[name] ?? {}
    const isTexts = Array.isArray(values) && values.every((value) => typeof value === 'string')
    return [name, { ...(typeof description === 'string' && { description }), ...(isTexts && { enum: values }) }]
  })
  return { parameters: Object.fromEntries(parameters) }
}

/** Paragraphs, without those that are absent. */
export function texts(...given: readonly (string | null | undefined | false)[]): { description?: string } {
  const description = given.filter(Boolean).join('\n\n')
  return description === '' ? {} : { description }
}
