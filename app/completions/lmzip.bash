# bash completion for lmzip, unlmzip and lmzcat

_lmzip()
{
    local cur prev words cword
    _init_completion -n = || return

    local options='-d --decompress -t --test -l --list -c --stdout -o --output= -k --keep
        -f --force --rm -r --recursive -S --suffix= -T --threads= -1 -2 -3 -4 -5 -6 -7 -8 -9
        --fast --best --memlimit= --block-size= --window= --search= --programs --verify --strong --name --max-output= --range= --model= --embed-model
        --base= --delta-depth= --onto=
        --keep-going --sparse --no-sparse --sync -q --quiet -v --verbose --no-warn
        --progress --no-progress --json -h --help -V --version'

    if [[ ${words[0]##*/} == lmzip && ${words[1]-} == tune ]] && ((cword > 1)); then
        case $cur in
            --*=*) ;;
            -*)
                COMPREPLY=($(compgen -W '--min-speed= --min-speed-out= --max-memory= --levels=
                    --sample= --json -q --quiet -h --help' -- "$cur"))
                [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
                ;;
            *) _filedir ;;
        esac
        return
    fi
    if [[ ${words[0]##*/} == lmzip && ${words[1]-} == @(list|extract) ]] && ((cword > 1)); then
        case $cur in
            --tensor=*) ;;
            --base=*)
                cur=${cur#*=}
                _filedir
                ;;
            -*)
                [[ ${words[1]} == list ]] && COMPREPLY=($(compgen -W '--json --base= -h --help' -- "$cur"))
                [[ ${words[1]} == extract ]] &&
                    COMPREPLY=($(compgen -W '--tensor= --base= -o --output= -f --force -h --help' -- "$cur"))
                [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
                ;;
            *) _filedir ;;
        esac
        return
    fi
    if [[ ${words[0]##*/} == lmzip && ${words[1]-} == model ]] && ((cword > 1)); then
        if ((cword == 2)); then
            COMPREPLY=($(compgen -W 'list show check add export' -- "$cur"))
        elif [[ $cur == -* ]]; then
            COMPREPLY=($(compgen -W '--json -f --force -h --help' -- "$cur"))
        else
            _filedir lmzm
        fi
        return
    fi
    case $prev in
        --model)
            _filedir lmzm
            return
            ;;
        -o | --output | --base | --onto)
            _filedir
            return
            ;;
        -T | --threads)
            COMPREPLY=($(compgen -W "0 $(seq "$(_ncpus)")" -- "$cur"))
            return
            ;;
        -S | --suffix | --delta-depth | --memlimit | --block-size | --window | --max-output | --range)
            return
            ;;
    esac
    case $cur in
        --output=* | --base=* | --onto=*)
            cur=${cur#*=}
            _filedir
            return
            ;;
        --search=*)
            COMPREPLY=($(compgen -W 'none fast full' -- "${cur#*=}"))
            return
            ;;
        --model=*)
            cur=${cur#*=}
            _filedir lmzm
            return
            ;;
        --progress=*)
            COMPREPLY=($(compgen -W 'json' -- "${cur#*=}"))
            return
            ;;
        --*=*)
            return
            ;;
        -*)
            COMPREPLY=($(compgen -W "$options" -- "$cur"))
            [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
            return
            ;;
    esac
    _filedir
    if ((cword == 1)) && [[ ${words[0]##*/} == lmzip ]]; then
        COMPREPLY+=($(compgen -W 'info list extract verify repair rebase tune model train eval vocab' -- "$cur"))
    fi
} && complete -F _lmzip lmzip unlmzip lmzcat
