/** The section `portal` of the options: the page for administrators of an organisation. */

/** `#rgb` to `#rrggbbaa`: nothing else may become a part of a style. */
const HEX = { type: 'string', pattern: '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' } as const

const colour = {
  anyOf: [
    HEX,
    { type: 'object', additionalProperties: false, required: ['light', 'dark'], properties: { light: HEX, dark: HEX } }
  ]
} as const

const minutes = (fallback: number, maximum: number) =>
  ({ type: 'integer', minimum: 1, maximum, default: fallback }) as const

/** Language, script, region: every tag of this form is one that `Intl` takes. */
export const LOCALE = '^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?$'

export const localeSchema = { type: 'string', pattern: LOCALE } as const

export const themeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Links, and the button of what is done next; one colour, or `{ light, dark }`. */
    accent: colour,
    /** Text on `accent`. */
    onAccent: colour,
    /** Behind everything. */
    ground: colour,
    /** Behind cards, fields and dialogs. */
    surface: colour,
    /** Text; lines and quiet text are made of it. */
    text: colour
  }
} as const

export const MOST_MINUTES = 60

export const portalSection = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Path of the page. */
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/events-portal' },
    /** Origin in front of `path` in links, such as `https://app.example`. Without it, links begin with the path. */
    origin: { type: 'string', pattern: '^https?://[A-Za-z0-9.:\\[\\]-]+$' },
    /** Origins whose pages may show the portal in a frame, or `self`. */
    frameAncestors: {
      type: 'array',
      items: { type: 'string', pattern: '^(?:self|https?://(?:\\*\\.)?[A-Za-z0-9.-]+(?::[0-9]{1,5})?)$' },
      uniqueItems: true,
      maxItems: 100,
      default: []
    },
    /** How long a link can be opened, in minutes. */
    minutes: minutes(5, MOST_MINUTES),
    /** How long the session lasts that a link opens, in minutes. */
    sessionMinutes: minutes(60, 720),
    /** Language of the page: `en`, `de`, or one of `parts.portalTexts`. */
    locale: { ...localeSchema, default: 'en' },
    /** Colours of the page. */
    theme: themeSchema,
    /** Permissions that keys made in the portal may have. Without it the portal has no keys; it needs svc-organizations with keys. */
    keys: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 60 }
    }
  }
} as const
