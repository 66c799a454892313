# bash completion for lmzip-train

_lmzip_train()
{
    local cur prev words cword
    _init_completion -n = || return

    if ((cword == 1)); then
        COMPREPLY=($(compgen -W 'train distill eval export -h --help' -- "$cur"))
        return
    fi
    local options='-o --output= --tokens= --body= --width= --layers= --mlp= --heads= --context=
        --tied --streams= --steps= --chunk= --rate= --warm-up= --decay= --weight-decay= --clip=
        --seed= --save-every= --measure-every= --log= --curves= --device= --precision= -h --help'
    case ${words[1]} in
        eval)
            options='--model= --checkpoint= --level= --block-size= --limit= --lines= --smu
                --markdown --json= --svg= --device= -h --help'
            ;;
        export) options='-o --output= --description= -f --force -h --help' ;;
        distill) options+=' --share=' ;;
        *) options+=' --fine-tune= --classes=' ;;
    esac
    case $cur in
        --output=* | --log=* | --curves=* | --fine-tune=* | --model=* | --checkpoint=* | --json=* | --svg=*)
            cur=${cur#*=}
            _filedir
            ;;
        --body=*) COMPREPLY=($(compgen -W 'recurrent transformer' -- "${cur#*=}")) ;;
        --device=*) COMPREPLY=($(compgen -W 'cpu cuda' -- "${cur#*=}")) ;;
        --level=*) COMPREPLY=($(compgen -W '1 2 3 4 5 6 7 8 9' -- "${cur#*=}")) ;;
        --precision=*) COMPREPLY=($(compgen -W 'f32 bf16' -- "${cur#*=}")) ;;
        --*=*) ;;
        -*)
            COMPREPLY=($(compgen -W "$options" -- "$cur"))
            [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
            ;;
        *) _filedir ;;
    esac
} && complete -F _lmzip_train lmzip-train
