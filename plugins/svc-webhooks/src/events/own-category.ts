/** Category of the events about webhooks; they are never delivered (spec, "Source and categories"). */
export const OWN_CATEGORY = 'webhook'
