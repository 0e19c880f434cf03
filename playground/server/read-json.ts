/** Some protocols have texts for results: a structured value is sent as JSON. Any other text is the result. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
