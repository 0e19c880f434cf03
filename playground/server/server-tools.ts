/** Tools that run on the server, with invented data. */

const CATALOGUE = [
  { product: 'Arc desk lamp', price: 89, deliveryDays: 2, words: ['lamp', 'light'] },
  { product: 'Merino blanket', price: 64, deliveryDays: 3, words: ['blanket'] },
  { product: 'Espresso beans, 1 kg', price: 24, deliveryDays: 1, words: ['coffee', 'beans', 'espresso'] },
  { product: 'Ceramic mug', price: 18, deliveryDays: 2, words: ['mug', 'cup'] },
];

type Args = Record<string, unknown>;

export const serverTools = {
  look_up_product: async ({ query }: Args) => {
    const text = String(query).toLowerCase();
    const found = CATALOGUE.find(({ words }) => words.some((word) => text.includes(word))) ?? CATALOGUE[0];
    const { words: _, ...product } = found ?? { words: [] };
    return { ...product, currency: 'EUR', inStock: true };
  },
  place_order: async ({ product }: Args) => ({
    orderNumber: `A-${1000 + ((String(product).length * 37) % 9000)}`,
    status: 'placed',
  }),
  find_events: async () => [
    { title: 'Open-air cinema', startsAt: '20:30' },
    { title: 'Jazz at the harbour', startsAt: '21:00' },
    { title: 'Night market', startsAt: '19:00' },
  ],
};
