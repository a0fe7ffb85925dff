/** What options of the portal are made of: nothing else may become a part of a style, a header or a document. */

const HEX = { type: 'string', pattern: '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' } as const

/** `#rgb` to `#rrggbbaa`, for both schemes or for each. */
export const colour = {
  anyOf: [
    HEX,
    { type: 'object', additionalProperties: false, required: ['light', 'dark'], properties: { light: HEX, dark: HEX } }
  ]
} as const

/** Language, script, region: every tag of this form is one that `Intl` takes. */
export const LOCALE = '^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?$'

export const locale = { type: 'string', pattern: LOCALE } as const

/** How long a link can be opened. */
export const MOST_MINUTES = 60
