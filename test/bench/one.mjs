import { execFileSync } from 'node:child_process';
import { bundle } from './bundle.mjs';
const names=process.argv[2].split(','), wl=process.argv[3], size=process.argv[4], rounds=+process.argv[5];
await bundle(names);
const res=Object.fromEntries(names.map(n=>[n,[]]));
for(let i=0;i<rounds;i++) for(const n of names){ const out=execFileSync(process.execPath,['--expose-gc','--import','./measure/dom.mjs',`./.bundles/${n}.mjs`,wl,size,'60000'],{encoding:'utf8'}); res[n].push(JSON.parse(out.trim().split('\n').at(-1))); }
const med=a=>a.sort((x,y)=>x-y)[a.length>>1];
for(const n of names) console.log(n.padEnd(18),'cpu',med(res[n].map(r=>r.cpuMs)).toFixed(0),'wall',med(res[n].map(r=>r.wallMs)).toFixed(0),'min',Math.min(...res[n].map(r=>r.wallMs)).toFixed(0));
